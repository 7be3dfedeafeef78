// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

// Reason is the reason why an occurrence was dropped.
type Reason uint8

// The reasons, in the order in which [Reasons] returns them. [Reason.Describe] explains each of them.
// A new reason needs an entry in the variable reasons.
const (
	None Reason = iota
	Invalid
	Stopped
	CacheFull
	Rejected
	NamespaceGone
	TooOld
	Abandoned
	Filtered
	SpamFilter
	QueueFull
	Unselected
	UnknownCluster
	numReasons
)

// Description contains the texts about a reason that users see. TestDropReasons of test/repository
// writes them to events/drop_reasons.go, to the table in docs/operations.md, and to the alerts and
// the dashboard of contrib/prometheus.
type Description struct {
	// Name is the name of the reason in Stats, in metrics and in log lines.
	Name string
	// Meaning says when an occurrence is dropped with the reason. It is a clause without a full
	// stop. Because it becomes part of a doc comment in package events, names of that package are
	// in brackets, as doc links.
	Meaning string
	// Remedy says how to fix the cause, in Markdown, for docs/operations.md. It is empty if there
	// is nothing to fix.
	Remedy string
	// Alert is the alert of contrib/prometheus that fires on drops with the reason.
	Alert Alert
}

// Alert is the name of an alert of contrib/prometheus.
type Alert string

// The alerts of contrib/prometheus that fire on drops.
const (
	AlertLosing     Alert = "EventseriesLosingEvents"
	AlertCacheFull  Alert = "EventseriesCacheFull"
	AlertUnselected Alert = "EventseriesUnselectedForLong"
	// AlertNone means that no alert fires, because the drops are intended.
	AlertNone Alert = ""
)

// Loses reports whether the alert is about drops that nobody intended.
func (a Alert) Loses() bool {
	return a == AlertLosing || a == AlertCacheFull
}

var reasons = [numReasons]Description{
	None: {Name: "None"},
	Invalid: {
		Name: "Invalid",
		Meaning: "the type is neither Normal nor Warning, or the regarding object is missing or cannot " +
			"be referred to, for example because it has neither a name nor a UID, or because the scheme " +
			"does not know its type",
		Remedy: "fix the call, or pass `events.WithScheme`; the log line with the advice `invalid` says " +
			"what is wrong",
		Alert: AlertLosing,
	},
	Stopped: {
		Name: "Stopped",
		Meaning: "[Recorder.Eventf] was called after Drain or Shutdown; if the component calls neither of " +
			"them, after the drain timeout that begins when Start's context ends",
		Remedy: "call `Shutdown` after all code that records has ended ([Graceful " +
			"shutdown](start.md#graceful-shutdown))",
		Alert: AlertLosing,
	},
	CacheFull: {
		Name: "CacheFull",
		Meaning: "there were more series than [WithMaxSeries] allows, and none of them could be " +
			"evicted",
		Remedy: "find the text that varies, raise the client's rate limit, or raise `WithMaxSeries`: " +
			"[Memory](options.md#memory) says which",
		Alert: AlertCacheFull,
	},
	Rejected: {
		Name: "Rejected",
		Meaning: "the API server refuses the Event, because of its validation, a webhook or a policy; " +
			"a later occurrence is tried again after one to eight minutes",
		Remedy: "[step 7](#7-look-for-a-webhook-or-a-policy)",
		Alert:  AlertLosing,
	},
	NamespaceGone: {
		Name:    "NamespaceGone",
		Meaning: "the namespace is being deleted or does not exist",
		Remedy:  "correct the name, or create the namespace; writes resume within minutes",
		Alert:   AlertLosing,
	},
	TooOld: {
		Name: "TooOld",
		Meaning: "the series of the occurrence had no new occurrence for an hour (or for the finish " +
			"interval, if that is longer), and the occurrence was still not written",
		Remedy: "[step 2](#2-read-the-log-of-the-component)",
		Alert:  AlertLosing,
	},
	Abandoned: {
		Name:    "Abandoned",
		Meaning: "the occurrence was pending when Drain's context or Shutdown's time ended",
		Remedy:  "do what the log line with the advice `shutdown`, or the error of Drain, says",
		Alert:   AlertLosing,
	},
	Filtered: {
		Name:    "Filtered",
		Meaning: "the sink does not want the Event and has returned [ErrFiltered], or there is no sink",
		Remedy: "if a sink of the component is meant to leave out the Event, as with " +
			"[`sinks.Filter`](export.md#choose-the-destination-of-each-event), you need not do " +
			"anything; if there is no sink, add one",
		Alert: AlertNone,
	},
	SpamFilter: {
		Name:    "SpamFilter",
		Meaning: "client-go's spam filter suppressed the occurrence (package legacy only)",
		Remedy:  "use package `events`, or change the filter with `legacy.WithCorrelatorOptions`",
		Alert:   AlertNone,
	},
	QueueFull: {
		Name: "QueueFull",
		Meaning: "12288 occurrences were waiting if the dropped one is a Normal, or 16384 if it is a Warning " +
			"(package legacy only)",
		Remedy: "find out why writes are slow ([step 2](#2-read-the-log-of-the-component)), or use " +
			"package `events`",
		Alert: AlertCacheFull,
	},
	Unselected: {
		Name: "Unselected",
		Meaning: "a selector leaves out the occurrence; in package events, [Broadcaster.SetSelector] sets " +
			"the selector",
		Remedy: "[Silence a noisy reason](#silence-a-noisy-reason)",
		Alert:  AlertUnselected,
	},
	UnknownCluster: {
		Name:    "UnknownCluster",
		Meaning: "[Recorder.Eventf] was called for a cluster that is not engaged (package clusters only)",
		Remedy: "engage the cluster first, or correct its name ([Unknown " +
			"clusters](clusters.md#unknown-clusters))",
		Alert: AlertLosing,
	},
}

// String returns the name of the reason.
func (r Reason) String() string { return reasons[r].Name }

// Describe returns the texts about the reason that users see.
func (r Reason) Describe() Description { return reasons[r] }

// Reasons returns every reason except None, in a new slice.
func Reasons() []Reason {
	all := make([]Reason, 0, numReasons-1)
	for r := Invalid; r < numReasons; r++ {
		all = append(all, r)
	}
	return all
}
