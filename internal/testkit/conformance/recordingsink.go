// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"context"
	"fmt"
	"strings"
	"sync"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// recordingSink passes calls on to a sink and records its failures.
type recordingSink struct {
	sink events.Sink

	mu          sync.Mutex // guards the rest
	names       map[string]bool
	refusedName string   // a new name that the sink reported as existing
	failed      []string // the first failures
}

func (w *recordingSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return w.watch("Create", event, func() (*eventsv1.Event, error) { return w.sink.Create(ctx, event) })
}

func (w *recordingSink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return w.watch("Patch", event, func() (*eventsv1.Event, error) { return w.sink.Patch(ctx, event, patch) })
}

func (w *recordingSink) watch(
	op string, event *eventsv1.Event, do func() (*eventsv1.Event, error),
) (stored *eventsv1.Event, err error) {
	name := event.Namespace + "/" + event.Name
	a := answer{call: op + " of " + name}
	if panicked := usercode.Call(func() { stored, err = do() }); panicked != nil {
		a.fault, err = fmt.Sprintf("%v\n%s", panicked, panicked.Stack), panicked
	}
	a.err = err
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.exists() && !w.names[name] {
		w.refusedName = name
	}
	w.names[name] = true
	if err != nil && !a.filtered() && len(w.failed) < 3 {
		w.failed = append(w.failed, a.String())
	}
	return stored, err
}

func (w *recordingSink) newNameTaken() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.refusedName
}

// String lists what the sink answered other than success, a line each.
func (w *recordingSink) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.failed) == 0 {
		return ""
	}
	return "; the sink's first failures:\n  " + strings.Join(w.failed, "\n  ")
}
