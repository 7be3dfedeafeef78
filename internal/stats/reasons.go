// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package stats

// Reason says why occurrences were dropped.
type Reason uint8

// The reasons, in the order in which [Reasons] names them. Each has its row in reasons.
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
	Muted
	UnknownCluster
	numReasons
)

// Description is what users can read about a reason. From it TestDropReasons of test/repository writes
// events/drop_reasons.go, the table in docs/operations.md, and the causes in the alerts and the dashboard of
// contrib/prometheus.
type Description struct {
	// Name is what users see in Stats and in log lines.
	Name string
	// Meaning is a clause without an end. It stands in a doc comment of package events, and so names what
	// that package has in brackets, as doc links do.
	Meaning string
	// Remedy is for docs/operations.md, in Markdown. It is empty if there is nothing to do.
	Remedy string
	// Alert is the alert of contrib/prometheus that a drop fires.
	Alert Alert
}

// Alert is the name of an alert.
type Alert string

// The alerts for drops.
const (
	AlertLosing    Alert = "EventseriesLosingEvents"
	AlertCacheFull Alert = "EventseriesCacheFull"
	AlertMuted     Alert = "EventseriesMutedForLong"
	// AlertNone stands for drops that somebody wants and that end by themselves.
	AlertNone Alert = ""
)

// Loses reports whether what fires the alert is lost against somebody's will.
func (a Alert) Loses() bool { return a == AlertLosing || a == AlertCacheFull }

var reasons = [numReasons]Description{
	None: {Name: "None"},
	Invalid: {
		Name: "Invalid",
		Meaning: "a type other than Normal and Warning, no regarding object, or one that cannot be referred to, " +
			"such as one with neither a name nor a UID",
		Remedy: "fix the call; the log says which",
		Alert:  AlertLosing,
	},
	Stopped: {
		Name: "Stopped",
		Meaning: "recorded after Drain or Shutdown, or when neither was called within the drain timeout " +
			"after the end of Start's context",
		Remedy: "[end the work first](start.md#the-end)",
		Alert:  AlertLosing,
	},
	CacheFull: {
		Name:    "CacheFull",
		Meaning: "more series than [WithMaxSeries] allows, and none could be evicted",
		Remedy:  "[Memory](options.md#memory)",
		Alert:   AlertCacheFull,
	},
	Rejected: {
		Name: "Rejected",
		Meaning: "the server refuses the event: validation, a webhook or a policy. " +
			"A later occurrence is tried after one to eight minutes",
		Remedy: "step 7",
		Alert:  AlertLosing,
	},
	NamespaceGone: {
		Name:    "NamespaceGone",
		Meaning: "the namespace is being deleted or does not exist",
		Remedy:  "check its name; if it is created, writes resume within minutes",
		Alert:   AlertLosing,
	},
	TooOld: {
		Name: "TooOld",
		Meaning: "not written within an hour after its last occurrence, or within the finish interval " +
			"if that is longer",
		Remedy: "step 2",
		Alert:  AlertLosing,
	},
	Abandoned: {
		Name:    "Abandoned",
		Meaning: "not written when Drain's context or Shutdown's time ended",
		Remedy:  "do what the error says",
		Alert:   AlertLosing,
	},
	Filtered: {
		Name:    "Filtered",
		Meaning: "the sink does not want the event, see [ErrFiltered], or there is no sink",
		Remedy:  "nothing if `sinks.Filter` is there to do it",
		Alert:   AlertNone,
	},
	SpamFilter: {
		Name:    "SpamFilter",
		Meaning: "client-go's spam filter suppressed it (package legacy only)",
		Remedy:  "use `events`, or `legacy.WithCorrelatorOptions`",
		Alert:   AlertNone,
	},
	QueueFull: {
		Name:    "QueueFull",
		Meaning: "16384 occurrences were waiting, 12288 for a Normal (package legacy only)",
		Remedy:  "find out why writes are slow, or use `events`",
		Alert:   AlertCacheFull,
	},
	Muted: {
		Name:    "Muted",
		Meaning: "the selector does not select it, see [Broadcaster.SetSelector]",
		Remedy:  "[Silence a noisy reason](#silence-a-noisy-reason)",
		Alert:   AlertMuted,
	},
	UnknownCluster: {
		Name:    "UnknownCluster",
		Meaning: "recorded for a cluster that is not engaged (package clusters only)",
		Remedy:  "[Unknown clusters](clusters.md#unknown-clusters)",
		Alert:   AlertLosing,
	},
}

// String returns the name of the reason.
func (r Reason) String() string { return reasons[r].Name }

// Describe returns what users can read about the reason.
func (r Reason) Describe() Description { return reasons[r] }

// Reasons lists every reason but None.
func Reasons() []Reason {
	all := make([]Reason, 0, numReasons-1)
	for r := Invalid; r < numReasons; r++ {
		all = append(all, r)
	}
	return all
}
