// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
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
	for name, access := range map[string]discovery.Access{
		"nothing allowed": {EventsV1: discovery.Denied, CoreV1: discovery.Denied},
		"core allowed":    {EventsV1: discovery.Denied, CoreV1: discovery.Allowed},
		"both allowed":    {EventsV1: discovery.Allowed, CoreV1: discovery.Allowed},
		"nobody can tell": {},
	} {
		t.Run(name, func(t *testing.T) {
			c := config{clock: clock.RealClock{}, logger: &klog.Logger{}, mode: Auto}
			r := newRouter(discovery.NewProber(nil), &c, nil)
			r.namespaces.ask = func(context.Context, string) (discovery.Access, error) { return access, nil }
			r.support.value, r.support.asked = discovery.Served, time.Now()
			refusal := errors.New("no")
			for i := range maxNamespaces + 2*refusalsKept {
				w := &write{verb: create, event: &eventsv1.Event{
					ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: "web"},
				}}
				switch r.namespaces.refused(t.Context(), w, EventsV1, true, refusal) {
				case retryAllowed:
					_ = r.countRefusal(w, refusals{api: EventsV1}, refusal)
				case keep, tryOther:
					r.namespaces.keep(w, refusal)
				}
				r.choose(t.Context(), w.namespace())
				if n := len(r.namespaces.known); n > maxNamespaces {
					t.Fatalf("%d namespaces are remembered", n)
				}
				if n := r.refusals.Len(); n > refusalsKept {
					t.Fatalf("%d events are remembered", n)
				}
			}
			if n := len(r.namespaces.known); n < maxNamespaces/2 {
				t.Errorf("%d namespaces are remembered, the test is too tame", n)
			}
		})
	}
}
