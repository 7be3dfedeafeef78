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
	"github.com/eventseries/eventseries/internal/plural"
	"github.com/eventseries/eventseries/internal/stats"
)

// Stats holds the counters of a broadcaster, all taken at the same moment. A counter counts
// occurrences unless its comment says otherwise. Every observed occurrence is either recorded,
// pending or dropped:
//
//	Observed = Recorded + Pending + the sum of Dropped
//
// The counters start at 0 when the broadcaster is made.
type Stats struct {
	// Version is the version of the SDK; see [eventseries.Version].
	Version string `json:"version"`
	// Observed counts the completed calls of all recorders, including invalid calls and calls after
	// Drain.
	Observed int64 `json:"observed"`
	// Overflowed counts the observed occurrences that exceeded the limit of
	// [WithMaxSeriesPerObject] and were therefore counted in Events with the reason
	// [ReasonTooManyEvents].
	Overflowed int64 `json:"overflowed"`
	// Recorded counts the occurrences that the server has acknowledged. It never decreases, even if
	// an Event expires on the server and is created again.
	Recorded int64 `json:"recorded"`
	// Pending counts the occurrences that are waiting to be written or acknowledged.
	Pending int64 `json:"pending"`
	// OldestPending is the time at which the oldest pending occurrence was recorded, to the second.
	// It is zero if no occurrence is pending. It is normal that a repeated occurrence stays pending
	// for the refresh interval ([WithRefreshInterval]). An occurrence that is pending for longer
	// indicates that writes fail.
	OldestPending time.Time `json:"oldestPending,omitzero"`
	// Unconfirmed counts the dropped occurrences that were sent to the server but never
	// acknowledged or refused. The server may have stored them.
	Unconfirmed int64 `json:"unconfirmed"`
	// Dropped counts the dropped occurrences by reason. It contains every reason, even if its count
	// is 0.
	Dropped map[DropReason]int64 `json:"dropped"`
	// Repaired counts, by kind, the changes that were made to Events so that the server accepts
	// them. It contains every kind, even if its count is 0.
	Repaired map[Repair]int64 `json:"repaired"`
	// Series is the number of series currently in memory.
	Series int `json:"series"`
	// Creates and Patches count the requests that the server has acknowledged.
	Creates int64 `json:"creates"`
	Patches int64 `json:"patches"`
	// Retries counts the requests that failed and had to be sent again.
	Retries int64 `json:"retries"`
	// Evicted counts the series that were removed from a full cache to make room for others.
	Evicted int64 `json:"evicted"`
	// WatcherDropped counts the Events that were not delivered to a watcher, because the queue of
	// the watcher was full or because the context of Drain ended before the delivery.
	WatcherDropped int64 `json:"watcherDropped"`
}

// Add returns the sum of s and other, for a component with several broadcasters. It changes neither
// s nor other.
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

// DropReason is the reason why an occurrence was dropped.
type DropReason string

// Drop describes a drop. It is passed to the function set with [WithDropHandler].
type Drop struct {
	// Reason is the key under which [Stats.Dropped] counts the drop.
	Reason DropReason
	// Regarding is the object of the Event. It is empty if no reference to the object could be
	// made.
	Regarding corev1.ObjectReference
	// Type and EventReason are the type and the reason of the Event.
	Type, EventReason string
	// Occurrences is the number of dropped occurrences, all of one series. It is at least 1.
	Occurrences int64
	// Err is the cause of the drop, such as the answer of the server. It is nil if Reason alone
	// explains the drop.
	Err error
}

// AbandonedError is the error that Drain returns if its context ends before everything is written
// or before every goroutine has ended. It wraps the field Err.
type AbandonedError struct {
	// Occurrences is the number of occurrences that were dropped.
	Occurrences int64
	// Series is the number of series that the dropped occurrences belong to.
	Series int64
	// Warnings is the number of dropped occurrences of type Warning.
	Warnings int64
	// Unconfirmed is the number of dropped occurrences that were sent to the server but never
	// acknowledged or refused. The server may have stored them.
	Unconfirmed int64
	// TopNamespaces lists the three namespaces with the greatest losses, greatest first.
	TopNamespaces []NamespaceLoss
	// Rate is the number of requests per second that the client's rate limiter allows. It is 0 if
	// this number is unknown or if no write went through a rate limiter.
	Rate float32
	// Stuck is the number of goroutines that have not ended, because a Sink or a client ignores its
	// context or because a watcher's handler does not return.
	Stuck int
	// Err is the error of the context, or an error saying that the broadcaster was never started.
	Err error
}

// NamespaceLoss describes the loss in one namespace.
type NamespaceLoss struct {
	// Namespace is the namespace of the Events.
	Namespace string
	// Occurrences is the number of occurrences dropped in the namespace.
	Occurrences int64
	// Regarding is the object of the series with the greatest loss in the namespace.
	Regarding corev1.ObjectReference
	// LastError is the last failure of a write in the namespace, or "none" if the server did not
	// answer. It is empty if no write failed. In that case, the rate limit of the client may be too
	// low.
	LastError string
}

// Error describes the loss, and says how to avoid such a loss.
func (e *AbandonedError) Error() string {
	msg := fmt.Sprintf("events: drain abandoned %s of %s (Warnings: %d, unconfirmed: %d)",
		plural.Of(e.Occurrences, "occurrence"), plural.Of(e.Series, "series"), e.Warnings, e.Unconfirmed)
	answered := false
	for _, in := range e.TopNamespaces {
		r := &in.Regarding
		msg += fmt.Sprintf("; %d in namespace %s, for example of %s %s", in.Occurrences, in.Namespace, r.Kind,
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
		msg += fmt.Sprintf("; the client allows %v requests a second, which takes %.0f s for %d series: "+
			"give Events a client of their own (adapter.NewForConfig), raise its QPS and Burst, "+
			"or give Drain a longer context",
			e.Rate, float32(e.Series)/e.Rate, e.Series)
	default:
		msg += "; raise the client's rate, the QPS and Burst of its rest.Config, or give Drain a longer context"
	}
	if e.Stuck > 0 {
		msg += "; a sink or handler that ignores its context holds " + plural.Of(e.Stuck, "goroutine")
	}
	return msg
}

// Unwrap returns e.Err.
func (e *AbandonedError) Unwrap() error { return e.Err }

// newAbandonedError converts an engine's loss to the exported error type.
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
