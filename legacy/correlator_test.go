// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/eventlabels"
)

// What the correlator says to send is what client-go's says, whatever the sink has answered before.
//
// Caught: another default than client-go's; a count, a first time, a name or a version that is not remembered; an answer
// about another event that is; an answer to an aggregate event that is; a repeat that the spam filter drops and that is
// not counted; a patch without count, time or message.
func TestCorrelatorIsClientGos(t *testing.T) {
	for name, options := range map[string]record.CorrelatorOptions{
		"defaults": {},
		"few keys": {LRUCacheSize: 8, BurstSize: 3, QPS: 1. / 10, MaxEvents: 10_000},
		"all set": {
			BurstSize: 12, QPS: 1. / 60, MaxEvents: 3, MaxIntervalInSeconds: 90,
			KeyFunc:     func(e *corev1.Event) (string, string) { return e.Type + e.Reason + e.InvolvedObject.Name, e.Name },
			MessageFunc: func(e *corev1.Event) string { return e.Reason + " and others" },
			SpamKeyFunc: func(e *corev1.Event) string { return fmt.Sprint(e.Reason, e.Count%2) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			clk := clocktesting.NewFakePassiveClock(time.Unix(1_700_000_000, 0))
			options.Clock = clk
			labels, err := eventlabels.Add("", map[string]string{"b": "c"})
			if err != nil {
				t.Fatal(err)
			}
			d := &correlatorDuel{
				labels: labels,
				rand:   rand.New(rand.NewPCG(1, 2)), clock: clk,
				theirs: record.NewEventCorrelatorWithOptions(options), ours: newCorrelator(options),
				// client-go keeps an answer with another message, too, where nothing looks for it, and forgets others sooner.
				strayAnswers: name != "few keys",
			}
			for range 3000 {
				d.step(t)
			}
			if d.skipped < 100 || d.patched < 50 || d.combined < 10 && name != "few keys" {
				t.Errorf("%d skipped, %d patched, %d combined: the sequence tests too little", d.skipped, d.patched, d.combined)
			}
		})
	}
}

type correlatorDuel struct {
	rand                               *rand.Rand
	clock                              *clocktesting.FakePassiveClock
	labels                             string
	unique, skipped, patched, combined int
	strayAnswers                       bool
	last, before                       *corev1.Event // what was sent last, and a copy of it
	theirs                             *record.EventCorrelator
	ours                               *correlator
}

func (d *correlatorDuel) step(t *testing.T) {
	t.Helper()
	pause := time.Duration(d.rand.Int64N(int64(time.Second)))
	if d.rand.IntN(50) == 0 {
		pause = time.Duration(d.rand.Int64N(int64(15 * time.Minute)))
	}
	d.clock.SetTime(d.clock.Now().Add(pause))
	recorded := d.occurrence()
	theirs, err := d.theirs.EventCorrelate(recorded.event())
	if err != nil {
		t.Fatal(err)
	}
	ours, err := d.ours.ask(recorded)
	if err != nil {
		t.Fatal(err)
	}
	if (ours.event == nil) != theirs.Skip {
		t.Fatalf("answered %v, client-go's %+v", ours, theirs)
	}
	if ours.event == nil {
		d.skipped++
		return
	}
	if theirs.Event.ReportingController == "" {
		d.combined++
		restore(theirs.Event, recorded.event()) // client-go leaves fields out
	}
	if ours.patch != nil {
		d.patched++
	}
	if diff := cmp.Diff(theirs, &record.EventCorrelateResult{Event: ours.event, Patch: ours.patch}); diff != "" {
		t.Fatalf("client-go's answer (-) and ours (+):\n%s", diff)
	}
	if diff := cmp.Diff(d.before, d.last); diff != "" {
		t.Fatalf("what was sent before is changed:\n%s", diff)
	}
	d.last, d.before = ours.event, ours.event.DeepCopy()
	if stored := d.stored(ours.event); stored != nil {
		d.theirs.UpdateState(stored)
		d.ours.learn(&ours, stored)
	}
}

// occurrence is about one of three objects. Half of the messages are always new, the others always the same, because
// client-go forgets a random one of those that it combines.
func (d *correlatorDuel) occurrence() *recorded {
	name := fmt.Sprint("web-", d.rand.IntN(3))
	reason, message := "Pulled", []string{"", "<a> & \"b\" \u2028 ü", "\xff\xfe cut \xc3"}[d.rand.IntN(3)]
	if d.rand.IntN(2) == 0 {
		d.unique++
		reason, message = "BackOff", fmt.Sprint("message ", d.unique)
	}
	return &recorded{
		recorder: &Recorder{
			source: corev1.EventSource{Component: "kubelet", Host: fmt.Sprint(d.rand.IntN(2))}, labels: d.labels,
		},
		name: fmt.Sprintf("%s.%x", name, d.clock.Now().UnixNano()),
		object: corev1.ObjectReference{
			Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: name, UID: types.UID("uid of " + name),
			ResourceVersion: fmt.Sprint(d.rand.IntN(100)), FieldPath: []string{"", "spec"}[d.rand.IntN(2)],
		},
		related: &corev1.ObjectReference{Name: "node"}, annotations: map[string]string{"a": message},
		eventType: []string{corev1.EventTypeNormal, corev1.EventTypeWarning}[d.rand.IntN(2)],
		reason:    reason, action: "Run", message: message, at: d.clock.Now(),
	}
}

// stored is the answer of a sink: what was sent with another version, now and then another count, another name or
// another event, or none.
func (d *correlatorDuel) stored(sent *corev1.Event) *corev1.Event {
	answer := sent.DeepCopy()
	answer.ResourceVersion = fmt.Sprint(d.unique, "-", d.rand.IntN(1000))
	switch d.rand.IntN(30) {
	case 0:
		return nil
	case 1:
		if d.strayAnswers {
			return &corev1.Event{Count: 7}
		}
	case 2:
		if d.strayAnswers {
			answer.Message = "something else"
		}
	case 3:
		answer.Count += 10
		answer.FirstTimestamp = metav1.NewTime(answer.FirstTimestamp.Add(-time.Hour))
	case 4:
		answer.Name = "another"
	case 5:
		answer.Count = 0
	}
	return answer
}

// A group remembers no more messages than it needs to be combined.
//
// Caught: forgetting none.
func TestGroupIsBounded(t *testing.T) {
	d := &correlatorDuel{rand: rand.New(rand.NewPCG(1, 2)), clock: clocktesting.NewFakePassiveClock(time.Unix(1, 0))}
	c := newCorrelator(record.CorrelatorOptions{Clock: d.clock})
	for range 1000 {
		if _, err := c.ask(d.occurrence()); err != nil {
			t.Fatal(err)
		}
	}
	for key, e := range c.groups.byKey {
		if n := e.value.len(); n >= defaultMaxEvents {
			t.Errorf("%q has %d messages, want less than %d", key, n, defaultMaxEvents)
		}
	}
}
