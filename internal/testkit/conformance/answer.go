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

// filtered reports whether the sink filters the Event, which is allowed for any Event. It returns
// false for an error whose methods panic, such as a nil pointer.
func (a answer) filtered() bool { return a.is(request.Drop) && errors.Is(a.err, events.ErrFiltered) }

// succeeds reports whether a broadcaster would consider the write stored.
func (a answer) succeeds() bool { return a.is(request.Stored) }

// is reports whether a broadcaster would react to the answer with one of the given actions.
func (a answer) is(actions ...request.Action) bool {
	return slices.Contains(actions, request.Classify(request.Request{}, a.err).Action)
}

// exists reports whether the answer says that an Event of this name already exists.
func (a answer) exists() bool { return a.succeeds() && a.err != nil }

// version returns the resourceVersion of the Event in the answer, or "" if there is none.
func (a answer) version() string {
	if a.err != nil || a.event == nil {
		return ""
	}
	return a.event.ResourceVersion
}

// reportsStored reports whether the answer contains the stored Event. The parameter input is the
// Event with which the sink was called. A sink that stores nothing may return input as its answer.
// So an Event without a resourceVersion counts as stored only if it differs from input.
func (a answer) reportsStored(input *eventsv1.Event) bool {
	return a.err == nil && a.event != nil && (a.event.ResourceVersion != "" || differences(input, a.event) != "")
}

// String describes the call and its answer.
func (a answer) String() string {
	if a.err == nil {
		return a.call + " succeeded"
	}
	return fmt.Sprintf("%s returned %T %q", a.call, a.err, fmt.Sprint(a.err))
}
