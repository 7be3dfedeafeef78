// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
)

// refuser is a sink that refuses everything.
type refuser struct{ events.Sink }

func (refuser) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "web", errors.New("no"))
}

// I5: what is remembered of namespaces is bounded, whatever is refused. Nobody can be asked about them.
//
// Caught: no bound on the namespaces.
func TestI5WhatIsRememberedIsBounded(t *testing.T) {
	r := newRouter(&config{Common: options.Common{Clock: clock.RealClock{}, Logger: &klog.Logger{}}, mode: Auto})
	r.attach(&discovery.Prober{}, map[API]events.Sink{EventsV1: refuser{}, CoreV1: refuser{}})
	r.support.fix(discovery.Served)
	for i := range 2 * maxNamespaces {
		e := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: "web"}}
		if _, err := r.Create(t.Context(), e); !apierrors.IsForbidden(err) {
			t.Fatalf("Create: %v, want it refused", err)
		}
		if n := len(r.permissions.namespaces); n != min(i+1, maxNamespaces) {
			t.Fatalf("%d namespaces are remembered after refusals in %d", n, i+1)
		}
	}
}
