// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"encoding/json"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Op is the operation of a [Call].
type Op string

// The operations of a Sink.
const (
	// OpCreate is the first write of an Event.
	OpCreate Op = "create"
	// OpPatch is every later one, mostly of its series.
	OpPatch Op = "patch"
)

// Call is one answered call to a [Sink].
type Call struct {
	// Op says which method was called.
	Op Op
	// Namespace and Name are those of the Event written.
	Namespace, Name string
	// Regarding and Reason are those of the Event passed in.
	Regarding corev1.ObjectReference
	Reason    string
	// Count is the series count in the body, 0 without one.
	Count int32
	// Patch is the body of a patch.
	Patch []byte
	// Err is what the call returned.
	Err error
	// Applied reports whether the write was stored. With an Err, it is a write whose answer was lost.
	Applied bool
}

func newCall(op Op, event *eventsv1.Event, patch []byte, applied bool, err error) Call {
	call := Call{
		Op: op, Namespace: event.Namespace, Name: event.Name, Regarding: event.Regarding, Reason: event.Reason,
		Patch: append([]byte(nil), patch...), Err: err, Applied: applied,
	}
	series := event.Series
	if op == OpPatch {
		series = patchedSeries(patch)
	}
	if series != nil {
		call.Count = series.Count
	}
	return call
}

// patchedSeries is what patch says about the series, nil if nothing. A patch that does not decode says nothing.
func patchedSeries(patch []byte) *eventsv1.EventSeries {
	var body struct {
		Series *eventsv1.EventSeries `json:"series"`
	}
	if json.Unmarshal(patch, &body) != nil {
		return nil
	}
	return body.Series
}

// String is the line of the call in [Sink.Log]. It contains no generated name and no time.
func (c Call) String() string {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %s/%s %s", c.Op, strings.ToLower(c.Regarding.Kind), c.Regarding.Name, c.Reason)
	if c.Count != 0 {
		fmt.Fprintf(&line, " count=%d", c.Count)
	}
	if c.Err != nil {
		fmt.Fprintf(&line, ": %s", briefly(c.Err))
	}
	if c.Err != nil && c.Applied {
		line.WriteString(" (applied)")
	}
	return line.String()
}

// briefly leaves out a Status' message, because it contains the Event's name.
func briefly(err error) string {
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	return err.Error()
}
