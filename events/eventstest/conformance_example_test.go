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

// lines is a sink that keeps a line for each write. It stores no events, so it has nothing to answer.
type lines struct {
	mu    sync.Mutex // the broadcaster writes from several goroutines
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
	l.lines = append(l.lines, event.Regarding.Name+": "+event.Note) // of the event itself nothing is kept
	return nil, nil
}

// testLines is named TestLines in the package of the sink.
func testLines(t *testing.T) {
	eventstest.TestSink(t, func(*testing.T) events.Sink { return &lines{} })
}

// A sink of a few lines, and its test. Were the sink to keep the events themselves, as in append(l.events, event), the
// test would say:
//
//	--- FAIL: TestLines/ArgumentsNotRetained
//	    the event passed to Create is still in memory after the call; keep a DeepCopy, or what you need of it
//	    rule: neither the event nor the patch is used after the call; a copy may be
func ExampleTestSink() {
	_ = testLines
}
