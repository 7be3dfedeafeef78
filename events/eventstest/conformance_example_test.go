// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"sync"
	"testing"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// lines is a sink that keeps a line for each write. It stores no Events, so it returns none.
type lines struct {
	// mu guards lines, because a broadcaster writes from several goroutines.
	mu    sync.Mutex
	lines []string
}

func (l *lines) Create(_ context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return l.add(event)
}

func (l *lines) Patch(_ context.Context, event *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return l.add(event)
}

func (l *lines) add(event *eventsv1.Event) (*eventsv1.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// Keep a copy of the texts, and not the Event, which belongs to the caller.
	l.lines = append(l.lines, event.Regarding.Name+": "+event.Note)
	return nil, nil
}

// testLines would be called TestLines in the package of the sink.
func testLines(t *testing.T) {
	eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
}

// A small sink and its test. If the sink changed the Event, as in event.Kind = "Event", the test
// would print:
//
//	--- FAIL: TestLines/ArgumentsUnchanged
//	    Create of default/conformance.41b7f0c2-1 succeeded, and changed the Event that was passed to it, from
//	    …
//	    rule: the Event and the patch are not changed
//	    otherwise: a write that is tried again differs from the first attempt
func ExampleTestSink() {
	_ = testLines
}
