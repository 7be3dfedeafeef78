// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
)

// TestRequestsAreClientGos feeds the same occurrences to client-go's broadcaster
// and to this one and compares what their sinks see, object by object.
func TestRequestsAreClientGos(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &duel{rand: rand.New(rand.NewPCG(seed, 7))}
				if seed%2 == 1 {
					d.theirs.script, d.ours.script = takes(time.Millisecond), takes(time.Millisecond)
				}
				if seed%3 == 2 {
					d.options = record.CorrelatorOptions{
						BurstSize: 12, QPS: 1. / 60, MaxEvents: 3, MaxIntervalInSeconds: 90,
					}
				}
				d.run(t)
			})
		})
	}
}

type duel struct {
	rand         *rand.Rand
	options      record.CorrelatorOptions
	unique       int
	theirs, ours server
}

func (d *duel) run(t *testing.T) {
	client := record.NewBroadcaster(record.WithCorrelatorOptions(d.options))
	client.StartRecordingToSink(&d.theirs)
	b := NewBroadcaster(WithCorrelatorOptions(d.options), events.WithMaxInFlight(1+d.rand.IntN(6)))
	b.StartRecordingToSink(&d.ours)
	sources := []corev1.EventSource{{Component: "kubelet", Host: "node-1"}, {Component: "scheduler"}}
	var pairs [][2]record.EventRecorder
	for _, source := range sources {
		pairs = append(pairs, [2]record.EventRecorder{client.NewRecorder(nil, source), b.NewRecorder(nil, source)})
	}
	for range 700 {
		d.step(pairs[d.rand.IntN(len(pairs))])
	}
	time.Sleep(time.Minute)
	client.Shutdown()
	b.Shutdown()
	d.compare(t, b)
}

// step records one occurrence with both, then lets time pass.
func (d *duel) step(pair [2]record.EventRecorder) {
	container := pod("web-0")
	container.FieldPath = "spec.containers{app}"
	objects := []*corev1.ObjectReference{
		pod("web-0"), podIn("kube-system", "dns"),
		{Kind: "Node", APIVersion: "v1", Name: "node-1", UID: "node-1"},
		container,
		{Kind: "ClusterRole", APIVersion: "rbac.authorization.k8s.io/v1", Name: "system:odd name"},
	}
	object := objects[d.rand.IntN(len(objects))]
	eventType := []string{corev1.EventTypeNormal, corev1.EventTypeWarning}[d.rand.IntN(2)]
	reason, message := "Pulled", fmt.Sprintf("message %d", d.rand.IntN(2))
	if d.rand.IntN(2) == 0 {
		// client-go forgets a random one of the messages it combined, so only
		// messages that are always new have one outcome.
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
	case p < 85: // a burst; names end in nanoseconds
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

// pause ends in the first half of a second, so that what the delays of requests
// shift stays within it.
func (d *duel) pause(about time.Duration) {
	now := time.Now()
	time.Sleep(now.Add(about).Truncate(time.Second).Add(time.Duration(d.rand.Int64N(int64(time.Second / 2)))).Sub(now))
}

func (d *duel) compare(t *testing.T, b *Broadcaster) {
	t.Helper()
	theirs, ours := byObject(t, d.theirs.requests()), byObject(t, d.ours.requests())
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("client-go's requests (-) and ours (+), by object:\n%s", diff)
	}
	ops := map[string]int{}
	for _, requests := range ours {
		for _, r := range requests {
			ops[r.Op]++
			if strings.HasPrefix(r.Event.Message, "(combined") {
				ops["combined"]++
			}
		}
	}
	if ops["create"] < 20 || ops["patch"] < 20 || ops["combined"] < 3 {
		t.Errorf("the sequence tests too little: %v", ops)
	}
	stats := b.Stats()
	balance(t, stats)
	if stats.Dropped["SpamFilter"] == 0 || stats.Recorded+stats.Dropped["SpamFilter"] != stats.Observed {
		t.Errorf("want all that is not recorded dropped by the spam filter, got %+v", stats)
	}
}

// whose says who reports about which object.
type whose struct {
	source corev1.EventSource
	object corev1.ObjectReference
}

// byObject sorts requests by object and leaves out what may differ: names of
// events are numbered in order of appearance, times have seconds.
func byObject(t *testing.T, requests []sinkCall) map[whose][]sinkCall {
	t.Helper()
	names := map[whose]map[string]string{}
	sorted := map[whose][]sinkCall{}
	for _, r := range requests {
		key := whose{source: r.Event.Source, object: r.Event.InvolvedObject}
		key.object.FieldPath, key.object.ResourceVersion = "", ""
		if names[key] == nil {
			names[key] = map[string]string{}
		}
		if names[key][r.Event.Name] == "" {
			names[key][r.Event.Name] = fmt.Sprintf("name %d", len(names[key]))
		}
		r.Event.Name = names[key][r.Event.Name]
		for _, at := range []*metav1.Time{&r.Event.FirstTimestamp, &r.Event.LastTimestamp} {
			at.Time = at.Truncate(time.Second).UTC()
		}
		if strings.HasPrefix(r.Event.Message, "(combined") {
			// Ours keeps what client-go's aggregation leaves out.
			if c := r.Event.ReportingController; c != "" && c != r.Event.Source.Component {
				t.Errorf("aggregate event reports as %q, want %q", c, r.Event.Source.Component)
			}
			r.Event.ReportingController, r.Event.ReportingInstance, r.Event.Annotations = "", "", nil
		}
		sorted[key] = append(sorted[key], r)
	}
	return sorted
}
