// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"fmt"
	"reflect"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/request"
)

// answer is what came of one call.
type answer struct {
	call  string
	event *eventsv1.Event
	err   error
	fault string // why there is no answer
}

// verdict is what a broadcaster would do of it.
func (a answer) verdict() request.Verdict { return request.Classify(request.Request{}, a.err) }

// filtered tells whether the sink does not want the event, which it never needs a reason for. An error that panics when
// it is looked at, such as a nil pointer, is no drop.
func (a answer) filtered() bool { return a.is(request.Drop) && errors.Is(a.err, events.ErrFiltered) }

// settles tells whether a broadcaster would take the write for done.
func (a answer) settles() bool { return a.is(request.Stored) }

// is tells whether a broadcaster would do one of actions.
func (a answer) is(actions ...request.Action) bool {
	if a.fault != "" {
		return false
	}
	for _, action := range actions {
		if a.verdict().Action == action {
			return true
		}
	}
	return false
}

// exists tells whether the answer is that the name is taken.
func (a answer) exists() bool { return a.settles() && a.err != nil }

// version is the resourceVersion that the sink tells, empty if none.
func (a answer) version() string {
	if !a.settles() || a.err != nil || a.event == nil {
		return ""
	}
	return a.event.ResourceVersion
}

// tells tells whether the answer says what is stored. An event without a version that is just as it was passed in does
// not: a sink that stores nothing may hand it back.
func (a answer) tells(passed *eventsv1.Event) bool {
	return a.fault == "" && a.err == nil && a.event != nil &&
		(a.event.ResourceVersion != "" || differences(passed, a.event) != "")
}

// String says what was answered, and what a broadcaster makes of that.
func (a answer) String() string {
	switch {
	case a.fault != "":
		return fmt.Sprintf("%s %s", a.call, a.fault)
	case a.err == nil:
		return a.call + " succeeded"
	case isNil(a.err):
		return fmt.Sprintf("%s answered a nil %T for an error, which is not nil: return a plain nil", a.call, a.err)
	default:
		return fmt.Sprintf("%s answered %q, which %s", a.call, fmt.Sprint(a.err), consequence(a.verdict()))
	}
}

func isNil(err error) bool {
	v := reflect.ValueOf(err)
	return v.Kind() == reflect.Pointer && v.IsNil()
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
