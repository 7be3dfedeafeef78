// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// viaEventsV1 writes through events.k8s.io/v1 as client-go's sink does.
func viaEventsV1(c *Clientset) recorder { return &clientevents.EventSinkImpl{Interface: c.EventsV1()} }

func TestClientsetHoldsWhatItIsGiven(t *testing.T) {
	invalid := newEvent("Bad_Name")
	invalid.Type = "Odd"
	list := &eventsv1.EventList{Items: []eventsv1.Event{*newEvent("web.2")}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	c := NewClientset(invalid, pod, eventconv.ToCore(newEvent("web.1")), list)
	if got := c.Events(); len(got) != 3 || got[0].Type != "Odd" || got[0].UID == "" || got[2].Name != "web.2" {
		t.Errorf("Events() = %v, want the three given", got)
	}
	if _, err := c.CoreV1().Pods("default").Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
		t.Errorf("the pod: %v", err)
	}
}

// Every way to write and to change settings, at once: each count is the last one in the end.
func TestWritesConcurrentSafe(t *testing.T) {
	const writers, patches = 8, 50
	c, direct, sink := NewClientset(), NewClientset(), NewSink()
	direct.DiscardActions()
	settings := func(c *Clientset) func() {
		return func() { c.ServeEventsV1(true); c.Fail(nil); c.SetTTL(0); _, _ = c.Writes(), c.Written() }
	}
	for name, one := range map[string]struct {
		recorder
		settings func()
		stored   func() []eventsv1.Event
		counts   func() Counts
	}{
		"through client-go's Fake": {viaEventsV1(c), settings(c), c.Events, func() Counts { return c.Writes().EventsV1 }},
		"past it":                  {viaEventsV1(direct), settings(direct), direct.Events, func() Counts { return direct.Writes().EventsV1 }},
		"a sink": {sink, func() {
			sink.FailNext(0, errScripted)
			sink.Hold()
			sink.Release()
			_, _ = sink.Log(), sink.Written()
		}, sink.Events, sink.Counts},
	} {
		t.Run(name, func(t *testing.T) {
			var group sync.WaitGroup
			for w := range writers {
				group.Go(func() {
					event := newEvent(fmt.Sprintf("web.%d", w))
					if _, err := one.Create(t.Context(), event); err != nil {
						t.Error(err)
					}
					for n := range patches {
						patch := fmt.Appendf(nil, `{"series":{"count":%d,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`, n+2)
						if _, err := one.Patch(t.Context(), event, patch); err != nil {
							t.Error(err)
						}
						one.settings()
						_ = one.stored()
					}
				})
			}
			group.Wait()
			if got := one.counts(); got != (Counts{Creates: writers, Patches: writers * patches}) {
				t.Errorf("%+v requests", got)
			}
			versions := map[string]bool{}
			for _, event := range one.stored() {
				if versions[event.ResourceVersion] = true; event.Series.Count != patches+1 {
					t.Errorf("%s ends at %d, want %d", event.Name, event.Series.Count, patches+1)
				}
			}
			if (len(direct.Actions()) > 0) || len(c.Actions()) == 0 && name == "through client-go's Fake" {
				t.Errorf("%d actions of the Fake, %d past it", len(c.Actions()), len(direct.Actions()))
			}
			if len(versions) != writers {
				t.Errorf("%d resource versions for %d events", len(versions), writers)
			}
		})
	}
}
