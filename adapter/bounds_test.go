// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"errors"
	"fmt"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
)

// I5: what is remembered of namespaces and of refused events is bounded, whatever is refused.
//
// Caught: no bound on the namespaces.
func TestI5WhatIsRememberedIsBounded(t *testing.T) {
	for name, access := range map[string]answers{
		"nothing allowed": {v1: discovery.Denied, core: discovery.Denied},
		"core allowed":    {v1: discovery.Denied, core: discovery.Allowed},
		"both allowed":    {v1: discovery.Allowed, core: discovery.Allowed},
		"nobody can tell": {},
	} {
		t.Run(name, func(t *testing.T) {
			c := config{clock: clock.RealClock{}, logger: &klog.Logger{}, mode: Auto}
			r := newRouter(&c)
			r.permissions.prober = access
			r.support.value, r.support.probe.last = discovery.Served, time.Now()
			refusal := errors.New("no")
			for i := range maxNamespaces + 2*maxRefusedEvents {
				w := &write{verb: create, event: &eventsv1.Event{
					ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: "web"},
				}}
				switch r.permissions.onRefused(t.Context(), w, EventsV1, true, refusal) {
				case retrySame:
					_ = r.countRefusal(w, refusals{api: EventsV1}, refusal)
				case keepEvent, tryOther:
					r.permissions.logKept(t.Context(), w.event.Namespace, refusal)
				}
				r.choose(t.Context(), w.event.Namespace)
				if n := len(r.permissions.namespaces); n > maxNamespaces {
					t.Fatalf("%d namespaces are remembered", n)
				}
				if n := r.refusals.Len(); n > maxRefusedEvents {
					t.Fatalf("%d events are remembered", n)
				}
			}
			if n := len(r.permissions.namespaces); n < maxNamespaces/2 {
				t.Errorf("%d namespaces are remembered, the test is too tame", n)
			}
		})
	}
}
