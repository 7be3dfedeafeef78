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

// Stats are the counters of a broadcaster, all of the same moment. A counter counts occurrences
// unless its comment says otherwise. Every occurrence that was observed is either recorded, pending
// or dropped:
//
//	Observed = Recorded + Pending + the sum of Dropped
//
// The counters begin at 0 when the broadcaster is made. The zero value has no counts.
type Stats struct {
	// Version is the version of the SDK, see [eventseries.Version].
	Version string `json:"version"`
	// Observed counts the calls of all recorders that have returned, also the invalid ones and the
	// ones after Drain.
	Observed int64 `json:"observed"`
	// Overflowed is the part of Observed that is counted in Events with the reason
	// [ReasonTooManyEvents], because these occurrences are beyond the limit of
	// [WithMaxSeriesPerObject].
	Overflowed int64 `json:"overflowed"`
	// Recorded counts the occurrences that the server has acknowledged. It never decreases, not
	// even if an Event expires on the server and is created again.
	Recorded int64 `json:"recorded"`
	// Pending counts the occurrences that wait for a write or for the answer to a write.
	Pending int64 `json:"pending"`
	// OldestPending is the time at which the oldest pending occurrence was recorded, to the second.
	// It is zero if none is pending. A later occurrence of a series may be pending for the refresh
	// interval ([WithRefreshInterval]). If an occurrence is pending for longer, its writes fail.
	OldestPending time.Time `json:"oldestPending,omitzero"`
	// Unconfirmed is the part of Dropped that was sent to the server and never answered. The server
	// may have stored it.
	Unconfirmed int64 `json:"unconfirmed"`
	// Dropped counts the dropped occurrences by reason. Every reason is a key, even if its count is
	// 0.
	Dropped map[DropReason]int64 `json:"dropped"`
	// Repaired counts the changes that were made so that the server accepts an Event, by kind.
	// Every kind is a key, even if its count is 0.
	Repaired map[Repair]int64 `json:"repaired"`
	// Series is the number of series in memory now.
	Series int `json:"series"`
	// Creates and Patches count the requests that the server has acknowledged.
	Creates int64 `json:"creates"`
	Patches int64 `json:"patches"`
	// Retries counts the requests that failed and had to be sent again.
	Retries int64 `json:"retries"`
	// Evicted counts the series that were removed from a full cache to make room for others.
	Evicted int64 `json:"evicted"`
	// WatcherDropped counts the Events that a watcher did not get, because its queue was full or
	// because it had not handled them when the context of Drain ended.
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

// DropReason is the reason for which an occurrence was dropped.
type DropReason string

// Drop describes a drop to the function of [WithDropHandler].
type Drop struct {
	// Reason is the key under which [Stats.Dropped] counts the drop.
	Reason DropReason
	// Regarding is the object of the Event. It is empty if no reference to the object can be made.
	Regarding corev1.ObjectReference
	// Type and EventReason are the type and the reason of the Event.
	Type, EventReason string
	// Occurrences is the number of occurrences of one series that are dropped, at least 1.
	Occurrences int64
	// Err is the cause, such as the answer of the server. It is nil if there is no other cause than
	// Reason says.
	Err error
}

// AbandonedError is the error of Drain if its context ended before everything was written, or
// before every goroutine had ended. It wraps Err.
type AbandonedError struct {
	// Occurrences is the number of occurrences that were dropped.
	Occurrences int64
	// Series is the number of series that they belong to.
	Series int64
	// Warnings is the number of dropped occurrences of type Warning.
	Warnings int64
	// Unconfirmed is the number of dropped occurrences that were sent to the server and never
	// answered. The server may have stored them.
	Unconfirmed int64
	// TopNamespaces are the three namespaces with the greatest losses, the greatest one first.
	TopNamespaces []NamespaceLoss
	// Rate is the number of requests a second that the rate limiter of the client allows. It is 0
	// if it is not known, or if no write has met a rate limiter.
	Rate float32
	// Stuck is the number of goroutines that have not ended, because a Sink or a client ignores its
	// context, or because the handler of a watcher does not return.
	Stuck int
	// Err is the error of the context. If the broadcaster was never started, it says so instead.
	Err error
}

// NamespaceLoss is the part of a loss that is in one namespace.
type NamespaceLoss struct {
	// Namespace is the namespace of the Events.
	Namespace string
	// Occurrences is the number of occurrences that were dropped in the namespace.
	Occurrences int64
	// Regarding is the object of the series with the greatest loss in the namespace.
	Regarding corev1.ObjectReference
	// LastError is the last failure of a write in the namespace, or "none" if the server did not
	// answer. It is empty if the writes did not fail. The client may then allow too few requests a
	// second.
	LastError string
}

// Error describes the loss and its remedy.
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

// Unwrap returns Err.
func (e *AbandonedError) Unwrap() error { return e.Err }

// newAbandonedError returns the loss of an engine as the error that users see.
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
