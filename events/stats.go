// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/stats"
)

// Stats is one consistent snapshot of a broadcaster's counters. They count
// occurrences, unless a field says otherwise. In every snapshot
//
//	Observed = Recorded + Pending + the sum of Dropped
//
// Counters start when the broadcaster is made. The zero value has no counts.
type Stats struct {
	// Version is the SDK's own, [eventseries.Version].
	Version string `json:"version"`
	// Observed counts every call that returned, refused ones and those after
	// Drain included.
	Observed int64 `json:"observed"`
	// Overflowed is the part of Observed that counts in an Event of the reason
	// [ReasonTooManyEvents], because of [WithMaxSeriesPerObject].
	Overflowed int64 `json:"overflowed"`
	// Recorded counts occurrences that the server has acknowledged. It never goes
	// down, not even when an Event expires on the server and is created again.
	Recorded int64 `json:"recorded"`
	// Pending is the number that waits for a write, or for the answer to one.
	Pending int64 `json:"pending"`
	// OldestPending is when the occurrence that waits longest was recorded, to the
	// second, or the zero time if none waits. Counts of a series that is on the server
	// may wait for WithRefreshInterval; what waits longer cannot be written.
	OldestPending time.Time `json:"oldestPending,omitzero"`
	// Unconfirmed is the part of Dropped that was sent and never answered. The
	// server may have stored it.
	Unconfirmed int64 `json:"unconfirmed"`
	// Dropped has every reason as a key, also those with count 0.
	Dropped map[DropReason]int64 `json:"dropped"`
	// Repaired counts changes made so that the server accepts the event.
	Repaired map[Repair]int64 `json:"repaired"`
	// Series is how many series are in memory now.
	Series int `json:"series"`
	// Creates and Patches count acknowledged requests, Retries those that have to
	// be sent again, Evicted the series that were removed for other series.
	Creates int64 `json:"creates"`
	Patches int64 `json:"patches"`
	Retries int64 `json:"retries"`
	Evicted int64 `json:"evicted"`
	// WatcherDropped counts events that did not fit into a watcher's queue, or were
	// not handled when Drain's context ended.
	WatcherDropped int64 `json:"watcherDropped"`
}

// Add returns the sum of s and other, for a component with more than one
// broadcaster. It changes neither.
func (s Stats) Add(other Stats) Stats {
	sum := s
	sum.Version = cmp.Or(s.Version, other.Version)
	sum.Observed += other.Observed
	sum.Overflowed += other.Overflowed
	sum.Recorded += other.Recorded
	sum.Pending += other.Pending
	sum.OldestPending = stats.Earlier(s.OldestPending, other.OldestPending)
	sum.Unconfirmed += other.Unconfirmed
	sum.Dropped = addMaps(s.Dropped, other.Dropped)
	sum.Repaired = addMaps(s.Repaired, other.Repaired)
	sum.Series += other.Series
	sum.Creates += other.Creates
	sum.Patches += other.Patches
	sum.Retries += other.Retries
	sum.Evicted += other.Evicted
	sum.WatcherDropped += other.WatcherDropped
	return sum
}

func addMaps[K comparable](a, b map[K]int64) map[K]int64 {
	sum := map[K]int64{}
	for _, m := range []map[K]int64{a, b} {
		for k, n := range m {
			sum[k] += n
		}
	}
	return sum
}

// DropReason says why occurrences are not on the server.
type DropReason string

// Drop describes a drop to a drop handler.
type Drop struct {
	// Reason is the key under which [Stats] counts the drop.
	Reason DropReason
	// Regarding is the event's object. It is empty if the object cannot be referred to.
	Regarding corev1.ObjectReference
	// Type and EventReason are the event's own.
	Type, EventReason string
	// Occurrences is how many of the series are dropped, at least 1.
	Occurrences int64
	// Err is the cause, such as the server's answer. It is nil if Reason is enough.
	Err error
}

// AbandonedError is what Drain returns when its context ended before everything
// was written, or before a goroutine returned. It wraps Err.
type AbandonedError struct {
	// Occurrences and Series that were dropped, and how many of the occurrences were of
	// type Warning.
	Occurrences, Series, Warnings int64
	// Unconfirmed of the occurrences were sent and never answered. The server may
	// have stored them.
	Unconfirmed int64
	// TopNamespaces are the three namespaces that lost most, the one with the greatest loss first.
	TopNamespaces []NamespaceLoss
	// Rate is how many requests a second the client allows, 0 if that is not known or none
	// of its limiters stood in the way.
	Rate float32
	// Stuck is the number of goroutines that did not return from a Sink or client that
	// ignores its context, or from a watcher's handler.
	Stuck int
	// Err is the context's error, or says that the broadcaster was never started.
	Err error
}

// NamespaceLoss is what was lost in one namespace.
type NamespaceLoss struct {
	// Namespace is that of the Events.
	Namespace string
	// Occurrences that were dropped there.
	Occurrences int64
	// Regarding is the object of the series that lost most.
	Regarding corev1.ObjectReference
	// LastError is the last bad answer to the writes in the namespace, "none" if there was
	// no answer. If it is empty, the client may send too few requests a second.
	LastError string
}

// Error describes the loss and its remedy.
func (e *AbandonedError) Error() string {
	msg := fmt.Sprintf("events: drain abandoned %d occurrences of %d series, %d of them Warnings (%d unconfirmed)",
		e.Occurrences, e.Series, e.Warnings, e.Unconfirmed)
	answered := false
	for _, in := range e.TopNamespaces {
		r := &in.Regarding
		msg += fmt.Sprintf("; %d in namespace %s, such as those of %s %s", in.Occurrences, in.Namespace, r.Kind,
			klog.KRef(r.Namespace, r.Name))
		if in.LastError != "" {
			answered = true
			msg += fmt.Sprintf(" (the last answer of the API server there: %s)", in.LastError)
		}
	}
	msg += fmt.Sprintf(": %v", e.Err)
	timedOut := errors.Is(e.Err, context.DeadlineExceeded) || errors.Is(e.Err, context.Canceled)
	switch {
	case !timedOut || e.Series == 0 || answered:
	case e.Rate > 0:
		msg += fmt.Sprintf("; the client allows %v requests a second, and %d series need %.0f s: "+
			"give Events a client of their own (adapter.NewForConfig), raise its QPS and Burst, "+
			"or give Drain a longer context",
			e.Rate, e.Series, float32(e.Series)/e.Rate)
	default:
		msg += "; raise the client's rate, the QPS and Burst of its rest.Config, or give Drain a longer context"
	}
	if e.Stuck > 0 {
		msg += fmt.Sprintf("; %d goroutines are stuck in a sink or handler that ignores its context", e.Stuck)
	}
	return msg
}

// Unwrap returns the context's error.
func (e *AbandonedError) Unwrap() error { return e.Err }

// newAbandonedError returns what an engine has lost as the error that users see.
func newAbandonedError(lost *engine.Loss) error {
	e := &AbandonedError{
		Occurrences: lost.Occurrences,
		Series:      lost.Series,
		Warnings:    lost.Warnings,
		Unconfirmed: lost.Unconfirmed,
		Rate:        lost.Rate,
		Stuck:       lost.Stuck,
		Err:         lost.Err,
	}
	for _, in := range lost.TopNamespaces {
		e.TopNamespaces = append(e.TopNamespaces, NamespaceLoss(in))
	}
	return e
}
