// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What is tried is written, also if it is refused, never answered, or a duplicate; what is read is not.
func TestWritten(t *testing.T) {
	c := NewClientset()
	if got := c.Written(); len(got) > 0 {
		t.Errorf("written at first: %v", got)
	}
	c.Authorize(func(r Request) bool { return r.Namespace != "bank" })
	for _, namespace := range []string{"shop", "bank", "shop"} {
		_, _ = viaEventsV1(c).Create(t.Context(), in(namespace, newEvent("web.1"))) // one is refused, one a duplicate
	}
	_, _ = c.CoreV1().Events("shop").Patch(t.Context(), "web.1", types.StrategicMergePatchType, []byte(`{"count":2}`),
		metav1.PatchOptions{})
	_, _ = c.EventsV1().Events("read").Get(t.Context(), "web.1", metav1.GetOptions{})
	_, _ = c.EventsV1().Events("").List(t.Context(), metav1.ListOptions{})
	want := []Access{{"events.k8s.io", "bank"}, {"", "shop"}, {"events.k8s.io", "shop"}}
	if diff := cmp.Diff(want, c.Written()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	sink := NewSink()
	sink.CountOnly()
	sink.FailNext(1, errScripted)
	_, _ = sink.Create(t.Context(), in("shop", newEvent("web.1")))
	mustCreate(t, sink, in("bank", newEvent("web.1")))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = sink.Create(ended, in("park", newEvent("web.1")))
	want = []Access{{"events.k8s.io", "bank"}, {"events.k8s.io", "park"}, {"events.k8s.io", "shop"}}
	if diff := cmp.Diff(want, sink.Written()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
