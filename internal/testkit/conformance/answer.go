// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"slices"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
)

// answer is the result of one call of a sink.
type answer struct {
	call  string
	event *eventsv1.Event
	err   error
}

// filtered reports whether the sink filters the Event, which it may do with any Event. It returns
// false for an error that panics when it is used, such as a nil pointer.
func (a answer) filtered() bool { return a.is(request.Drop) && errors.Is(a.err, events.ErrFiltered) }

// succeeds reports whether a broadcaster would take the write as stored.
func (a answer) succeeds() bool { return a.is(request.Stored) }

// is reports whether a broadcaster would take one of the given actions after the answer.
func (a answer) is(actions ...request.Action) bool {
	return slices.Contains(actions, request.Classify(request.Request{}, a.err).Action)
}

// exists reports whether the answer is that an Event of this name exists already.
func (a answer) exists() bool { return a.succeeds() && a.err != nil }

// version returns the resourceVersion of the Event in the answer, or "" if there is none.
func (a answer) version() string {
	if a.err != nil || a.event == nil {
		return ""
	}
	return a.event.ResourceVersion
}

// reportsStored reports whether the answer has the stored Event. passed is the Event with which the
// sink was called. A sink that stores nothing may return that one, so an Event without a version
// that equals it does not count.
func (a answer) reportsStored(passed *eventsv1.Event) bool {
	return a.err == nil && a.event != nil && (a.event.ResourceVersion != "" || differences(passed, a.event) != "")
}

// String describes the call and its answer.
func (a answer) String() string {
	if a.err == nil {
		return a.call + " succeeded"
	}
	return fmt.Sprintf("%s returned %T %q", a.call, a.err, fmt.Sprint(a.err))
}
