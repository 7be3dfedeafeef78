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

// answer is the result of one call.
type answer struct {
	call  string
	event *eventsv1.Event
	err   error
}

// verdict returns what a broadcaster would do.
func (a answer) verdict() request.Verdict { return request.Classify(request.Request{}, a.err) }

// filtered reports whether the sink filters the event, which it may do with every event. An error that panics when it
// is used, such as a nil pointer, is no drop.
func (a answer) filtered() bool { return a.is(request.Drop) && errors.Is(a.err, events.ErrFiltered) }

// succeeds reports whether the write counts as done for a broadcaster.
func (a answer) succeeds() bool { return a.is(request.Stored) }

// is reports whether a broadcaster would do one of actions.
func (a answer) is(actions ...request.Action) bool {
	return slices.Contains(actions, a.verdict().Action)
}

// exists reports whether the answer is that the name exists already.
func (a answer) exists() bool { return a.succeeds() && a.err != nil }

// version returns the resourceVersion that the sink reports, and "" if there is none.
func (a answer) version() string {
	if a.err != nil || a.event == nil {
		return ""
	}
	return a.event.ResourceVersion
}

// reportsStored reports whether the answer has the stored event. An event without a version that equals the one passed
// in does not count, because a sink that stores nothing may return it.
func (a answer) reportsStored(passed *eventsv1.Event) bool {
	return a.err == nil && a.event != nil && (a.event.ResourceVersion != "" || differences(passed, a.event) != "")
}

// String describes the answer, and what a broadcaster does then.
func (a answer) String() string {
	if a.err == nil {
		return a.call + " succeeded"
	}
	return fmt.Sprintf("%s answered %T %q, which %s", a.call, a.err, fmt.Sprint(a.err), consequence(a.verdict()))
}

func consequence(v request.Verdict) string {
	switch v.Action {
	case request.Stored:
		return "counts as written"
	case request.Recreate:
		return "says that the event is gone, so it is created anew"
	case request.Resend:
		return "says that somebody else changed the event, so it is looked at and patched again"
	case request.Unsupported:
		return "says that the server does not have this API, so nothing is written for a while"
	case request.Forbidden:
		return "says that RBAC forbids the write, so it is kept until that changes"
	case request.Drop:
		return fmt.Sprintf("is final: the occurrences are dropped as %v", v.Reason)
	default:
		return "says nothing about the event, so it is tried again and again"
	}
}
