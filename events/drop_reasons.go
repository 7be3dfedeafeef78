// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Code generated from internal/stats/reasons.go by go test ./test/repository -update; DO NOT EDIT.

package events

// The reasons for a drop. Each is a key of [Stats.Dropped].
const (
	// DropInvalid: the type is neither Normal nor Warning, or the regarding object is missing or
	// cannot be referred to, for example because it has neither a name nor a UID, or because the
	// scheme does not know its type.
	DropInvalid DropReason = "Invalid"
	// DropStopped: [Recorder.Eventf] was called after Drain or Shutdown; if the component calls
	// neither of them, after the drain timeout that begins when Start's context ends.
	DropStopped DropReason = "Stopped"
	// DropCacheFull: there were more series than [WithMaxSeries] allows, and none of them could
	// be evicted.
	DropCacheFull DropReason = "CacheFull"
	// DropRejected: the API server refuses the Event, because of its validation, a webhook or a
	// policy; a later occurrence is tried again after one to eight minutes.
	DropRejected DropReason = "Rejected"
	// DropNamespaceGone: the namespace is being deleted or does not exist.
	DropNamespaceGone DropReason = "NamespaceGone"
	// DropTooOld: the series of the occurrence had no new occurrence for an hour (or for the
	// finish interval, if that is longer), and the occurrence was still not written.
	DropTooOld DropReason = "TooOld"
	// DropAbandoned: the occurrence was pending when Drain's context or Shutdown's time ended.
	DropAbandoned DropReason = "Abandoned"
	// DropFiltered: the sink does not want the Event and has returned [ErrFiltered], or there is
	// no sink.
	DropFiltered DropReason = "Filtered"
	// DropSpamFilter: client-go's spam filter suppressed the occurrence (package legacy only).
	DropSpamFilter DropReason = "SpamFilter"
	// DropQueueFull: 12288 occurrences were waiting if the dropped one is a Normal, or 16384 if
	// it is a Warning (package legacy only).
	DropQueueFull DropReason = "QueueFull"
	// DropUnselected: a selector leaves out the occurrence; in package events,
	// [Broadcaster.SetSelector] sets the selector.
	DropUnselected DropReason = "Unselected"
	// DropUnknownCluster: [Recorder.Eventf] was called for a cluster that is not engaged
	// (package clusters only).
	DropUnknownCluster DropReason = "UnknownCluster"
)
