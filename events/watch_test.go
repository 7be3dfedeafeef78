// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"sync"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
)

// watch starts a watcher and returns a function that says what it has got so far.
func watch(t testing.TB, b *events.Broadcaster) func() []*eventsv1.Event {
	t.Helper()
	var mu sync.Mutex
	var got []*eventsv1.Event
	_, err := b.StartEventWatcher(func(obj runtime.Object) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, obj.(*eventsv1.Event))
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() []*eventsv1.Event {
		mu.Lock()
		defer mu.Unlock()
		return append([]*eventsv1.Event(nil), got...)
	}
}
