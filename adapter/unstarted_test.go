// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var unstartedPod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// Before Start a flush writes as the mode and the cluster say, and starts nothing: the bubble would find it.
func TestUnstartedFlush(t *testing.T) {
	old := func(c *cluster) { c.ServeEventsV1(false) }
	denied := func(c *cluster) {
		c.Authorize(func(r eventstest.Request) bool { return r.Group != "events.k8s.io" })
	}
	for _, r := range []struct {
		name    string
		mode    adapter.API
		prepare func(*cluster)
		written []eventstest.Access
	}{
		{"v1", adapter.Auto, func(*cluster) {}, []eventstest.Access{{Group: "events.k8s.io", Namespace: "default"}}},
		{"an old cluster", adapter.Auto, old,
			[]eventstest.Access{{Namespace: "default"}, {Group: "events.k8s.io", Namespace: "default"}}},
		{"no RBAC for v1", adapter.Auto, denied,
			[]eventstest.Access{{Namespace: "default"}, {Group: "events.k8s.io", Namespace: "default"}}},
		{"pinned to core/v1", adapter.CoreV1, func(*cluster) {}, []eventstest.Access{{Namespace: "default"}}},
		{"pinned to legacy", adapter.Legacy, func(*cluster) {}, []eventstest.Access{{Namespace: "default"}}},
	} {
		t.Run(r.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				r.prepare(c)
				a := adapter.New(t.Context(), c, adapter.WithMode(r.mode), events.WithLogger(klog.Logger{}))
				recorder := a.NewRecorder(controller)
				for range 3 {
					recorder.Eventf(unstartedPod, nil, "Normal", "BackedUp", "BackUp", "a volume")
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := a.Flush(ctx); err != nil {
					t.Error(err)
				}
				if err := eventstest.Check(c.Clientset, eventstest.Only{{Reason: "BackedUp", Count: 3}}); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(r.written, c.Written()); diff != "" {
					t.Errorf("written to (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Caught: a Start that asks discovery again what a flush has just learnt.
func TestStartAfterAFlushDoesNotAskAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group != "events.k8s.io" })
		a := adapter.New(t.Context(), c.client(), events.WithLogger(klog.Logger{}))
		a.NewRecorder(controller).Eventf(unstartedPod, nil, "Normal", "BackedUp", "BackUp", "a volume")
		if err := a.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		if err := a.Start(t.Context()); err != nil {
			t.Error(err)
		}
		defer a.Shutdown()
		time.Sleep(time.Hour)
		if n := c.probes.Load(); n != 1 {
			t.Errorf("discovery was asked %d times, want once", n)
		}
	})
}

func TestUnstartedFlushTellsWhatStartWould(t *testing.T) {
	a := adapter.New(t.Context(), newCluster(), adapter.WithMode("v2"))
	a.NewRecorder(controller).Eventf(unstartedPod, nil, "Normal", "BackedUp", "BackUp", "a volume")
	if err := a.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "WithMode") {
		t.Errorf("Flush = %v, want what Start says about the mode", err)
	}
}
