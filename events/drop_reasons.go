// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Code generated from internal/stats/reasons.go by go test ./test/repository -update; DO NOT EDIT.

package events

// The reasons for a drop. Each is a key of [Stats.Dropped].
const (
	// DropInvalid: a type other than Normal and Warning, no regarding object, or one that cannot
	// be referred to, such as one with neither a name nor a UID.
	DropInvalid DropReason = "Invalid"
	// DropStopped: recorded after Drain or Shutdown, or when neither was called within the drain
	// timeout after the end of Start's context.
	DropStopped DropReason = "Stopped"
	// DropCacheFull: more series than [WithMaxSeries] allows, and none could be evicted.
	DropCacheFull DropReason = "CacheFull"
	// DropRejected: the server refuses the event: validation, a webhook or a policy. A later
	// occurrence is tried after one to eight minutes.
	DropRejected DropReason = "Rejected"
	// DropNamespaceGone: the namespace is being deleted or does not exist.
	DropNamespaceGone DropReason = "NamespaceGone"
	// DropTooOld: not written within an hour after its last occurrence, or within the finish
	// interval if that is longer.
	DropTooOld DropReason = "TooOld"
	// DropAbandoned: not written when Drain's context or Shutdown's time ended.
	DropAbandoned DropReason = "Abandoned"
	// DropFiltered: the sink does not want the event, see [ErrFiltered], or there is no sink.
	DropFiltered DropReason = "Filtered"
	// DropSpamFilter: client-go's spam filter suppressed it (package legacy only).
	DropSpamFilter DropReason = "SpamFilter"
	// DropQueueFull: 16384 occurrences were waiting, 12288 for a Normal (package legacy only).
	DropQueueFull DropReason = "QueueFull"
	// DropUnselected: the selector does not select it, see [Broadcaster.SetSelector].
	DropUnselected DropReason = "Unselected"
	// DropUnknownCluster: recorded for a cluster that is not engaged (package clusters only).
	DropUnknownCluster DropReason = "UnknownCluster"
)
