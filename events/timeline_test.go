// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// timeline is an eventstest.Sink that also notes when it was called, as the time since it was made.
type timeline struct {
	*eventstest.Sink
	began time.Time

	mu    sync.Mutex // guards the rest
	lines []string
	times []time.Duration
}

func newTimeline() *timeline { return &timeline{Sink: eventstest.NewSink(), began: time.Now()} }

func (l *timeline) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	l.note("create", e)
	return l.Sink.Create(ctx, e)
}

func (l *timeline) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	l.note("patch", e)
	return l.Sink.Patch(ctx, e, patch)
}

func (l *timeline) note(op string, e *eventsv1.Event) {
	at := time.Since(l.began)
	line := fmt.Sprintf("@%v %s %s", at, op, e.Regarding.Name)
	if e.Series != nil {
		line += fmt.Sprintf(" count=%d last=@%v", e.Series.Count, e.Series.LastObservedTime.Sub(l.began))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines, l.times = append(l.lines, line), append(l.times, at)
}

// calls returns when there were calls.
func (l *timeline) calls() []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]time.Duration(nil), l.times...)
}

func (l *timeline) check(t *testing.T, want ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(l.lines, "\n")); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}
