// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// TestRequestsAreClientGos records the same occurrences with client-go's broadcaster and with this
// one, and compares the calls of their sinks for each object.
func TestRequestsAreClientGos(t *testing.T) {
	for seed := range uint64(12) {
		fixture.InBubble(t, fmt.Sprint(seed), func(t *testing.T) {
			d := &duel{rand: rand.New(rand.NewPCG(seed, 7))}
			if seed%2 == 1 {
				d.theirs.script, d.ours.script = takes(time.Millisecond), takes(time.Millisecond)
			}
			var options record.CorrelatorOptions
			if seed%3 == 2 {
				options = record.CorrelatorOptions{BurstSize: 12, QPS: 1. / 60, MaxEvents: 3, MaxIntervalInSeconds: 90}
			}
			d.run(t, options)
		})
	}
}

type duel struct {
	rand         *rand.Rand
	unique       int
	theirs, ours server
}

func (d *duel) run(t *testing.T, options record.CorrelatorOptions) {
	client := record.NewBroadcaster(record.WithCorrelatorOptions(options))
	client.StartRecordingToSink(&d.theirs)
	b, _ := recordTo(&d.ours, WithCorrelatorOptions(options), tuning.MaxInFlight(1+d.rand.IntN(6)))
	var pairs [][2]record.EventRecorder
	for _, source := range []corev1.EventSource{kubelet, {Component: "scheduler"}} {
		pairs = append(pairs, [2]record.EventRecorder{client.NewRecorder(nil, source), b.Recorder(nil, source)})
	}
	for range 700 {
		d.step(pairs[d.rand.IntN(len(pairs))])
	}
	time.Sleep(time.Minute)
	client.Shutdown()
	b.Shutdown()
	synctest.Wait() // client-go's Shutdown does not wait
	theirs, ours := byObject(d.theirs.log), byObject(d.ours.log)
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("client-go's requests (-) and ours (+), by object:\n%s", diff)
	}
	s := b.Stats()
	checkStats(t, s, map[string]int64{"Recorded": s.Observed - s.Dropped[events.DropSpamFilter]})
	combined := strings.Count(fmt.Sprint(d.ours.lines()), "(combined")
	if s.Creates < 20 || s.Patches < 20 || s.Dropped[events.DropSpamFilter] == 0 || combined < 3 {
		t.Errorf("the sequence tests too little: %d combined, %+v", combined, s)
	}
}

// step records one occurrence with both broadcasters, and then lets time pass.
func (d *duel) step(pair [2]record.EventRecorder) {
	container := pod("web-0")
	container.FieldPath = "spec.containers{app}"
	objects := []*corev1.ObjectReference{
		pod("web-0"), podIn("kube-system", "dns"), container,
		{Kind: "Node", APIVersion: "v1", Name: "node-1", UID: "node-1"},
		{Kind: "ClusterRole", APIVersion: "rbac.authorization.k8s.io/v1", Name: "system:odd name"},
	}
	object := objects[d.rand.IntN(len(objects))]
	eventType := []string{corev1.EventTypeNormal, corev1.EventTypeWarning}[d.rand.IntN(2)]
	reason, message := "Pulled", fmt.Sprintf("message %d", d.rand.IntN(2))
	if d.rand.IntN(2) == 0 {
		// client-go forgets a random one of the messages that it has aggregated, so the result is
		// certain only if all messages are new.
		d.unique++
		reason, message = "BackOff", fmt.Sprintf("message %d", d.unique)
	}
	var annotations map[string]string
	if d.rand.IntN(4) == 0 {
		annotations = map[string]string{"n": message}
	}
	for _, recorder := range pair { // at the same instant of the bubble
		recorder.AnnotatedEventf(object, annotations, eventType, reason, "%s", message)
	}
	switch p := d.rand.IntN(100); {
	case p < 85: // a burst, in which two occurrences differ only by nanoseconds
		time.Sleep(time.Duration(1 + d.rand.IntN(1000)))
	case p < 99:
		d.pause(time.Duration(1+d.rand.IntN(15)) * time.Second)
	default:
		d.pause(time.Duration(1+d.rand.IntN(12)) * time.Minute)
		synctest.Wait()
		d.theirs.expire(object.Name)
		d.ours.expire(object.Name)
	}
}

// pause ends in the first half of a second, so that the delays of requests do not move a time into
// the next second.
func (d *duel) pause(about time.Duration) {
	now := time.Now()
	time.Sleep(now.Add(about).Truncate(time.Second).Add(time.Duration(d.rand.Int64N(int64(time.Second / 2)))).Sub(now))
}

// byObject groups requests by the source and the object, and removes the permitted differences: it
// numbers the names of Events in the order in which they appear, cuts times to seconds, and removes
// the fields that client-go leaves out of an aggregated Event.
func byObject(requests []sinkCall) map[string][]sinkCall {
	names, sorted := map[string][]string{}, map[string][]sinkCall{}
	for _, r := range requests {
		key := fmt.Sprint(r.Event.Source, r.Event.Namespace, r.Event.InvolvedObject.Kind, r.Event.InvolvedObject.Name)
		i := slices.Index(names[key], r.Event.Name)
		if i < 0 {
			i = len(names[key])
			names[key] = append(names[key], r.Event.Name)
		}
		r.Event.Name = fmt.Sprint("name ", i)
		if r.Event.ResourceVersion != "" { // two servers have different ones
			r.Event.ResourceVersion = "known"
		}
		for _, at := range []*metav1.Time{&r.Event.FirstTimestamp, &r.Event.LastTimestamp} {
			at.Time = at.Truncate(time.Second).UTC()
		}
		if strings.HasPrefix(r.Event.Message, "(combined") {
			r.Event.ReportingController, r.Event.ReportingInstance, r.Event.Annotations = "", "", nil
		}
		sorted[key] = append(sorted[key], r)
	}
	return sorted
}
