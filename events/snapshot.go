// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// Snapshot is a copy of the state of a broadcaster, for people and for monitoring. Package debug
// serves it as a page. Later versions may add fields.
type Snapshot struct {
	// Time is the time at which the snapshot was made, according to the clock of the broadcaster.
	Time time.Time `json:"time"`
	// Began is the time at which the broadcaster was made.
	Began time.Time `json:"began"`
	// Stats holds the totals, all taken at the same moment. The other fields are read shortly
	// before or after this moment.
	Stats Stats `json:"stats"`
	// Counts lists the counters for each set of labels, sorted by [MetricLabels.Compare]. No
	// counter except Pending ever decreases.
	//
	// The number of sets is limited to 1,000, because components may generate reasons at run time.
	// When the limit is reached, every label of a new set except the type is replaced with "other".
	// A label of more than 512 bytes is always replaced with "other".
	Counts []LabeledCounts `json:"counts"`
	// Frequent lists the series with the highest counts, highest first.
	Frequent []SeriesState `json:"frequent"`
	// Waiting lists the series with pending occurrences, longest wait first.
	Waiting []SeriesState `json:"waiting"`
	// Window is the number of writes that may be in flight at the same time. It grows and shrinks
	// with the capacity of the server. DESIGN.md describes how.
	Window int `json:"window"`
	// Gates shows which writes are held back after failures, and why; see [Gate]. It lists the gate
	// of the server first, then the gates of failing namespaces, and then the gates of the
	// namespaces with the longest queues.
	Gates []Gate `json:"gates"`
	// Queues is the number of namespaces that have a write queued or in flight, or whose writes
	// fail. Gates may list only some of these namespaces.
	Queues int `json:"queues"`
	// Options lists the options that were set, as they are written in Go code, such as
	// "WithMaxSeries(8)". An argument without a readable form is omitted, as in
	// "WithDropHandler()". The options for the logger, the clock, the scheme and the context are
	// not listed.
	Options []string `json:"options"`
	// Selector is the selector set with [Broadcaster.SetSelector]. It is empty if everything is
	// selected.
	Selector string `json:"selector"`
}

// MetricLabels are the labels by which [Snapshot.Counts] groups occurrences.
type MetricLabels struct {
	// ReportingController is the reporting controller of the Event.
	ReportingController string `json:"reportingController"`
	// RegardingKind is the kind of the regarding object. It is empty if no reference to the object
	// could be made.
	RegardingKind string `json:"regardingKind"`
	// Type is Normal or Warning, or "other" for an invalid type.
	Type string `json:"type"`
	// Reason is the reason of the Event.
	Reason string `json:"reason"`
}

// Compare compares l and m field by field. It returns a negative number if l sorts before m, a
// positive number if l sorts after m, and 0 if they are equal.
func (l MetricLabels) Compare(m MetricLabels) int {
	return cmp.Or(
		cmp.Compare(l.ReportingController, m.ReportingController), cmp.Compare(l.RegardingKind, m.RegardingKind),
		cmp.Compare(l.Type, m.Type), cmp.Compare(l.Reason, m.Reason),
	)
}

// LabeledCounts holds the counters for one set of labels. As in [Stats], Observed = Recorded +
// Pending + the sum of Dropped.
type LabeledCounts struct {
	MetricLabels
	// Observed, Overflowed, Recorded and Pending have the same meaning as in [Stats]. An occurrence
	// beyond the limit of [WithMaxSeriesPerObject] is counted under the labels of the Event with
	// the reason [ReasonTooManyEvents].
	Observed   int64 `json:"observed"`
	Overflowed int64 `json:"overflowed"`
	Recorded   int64 `json:"recorded"`
	Pending    int64 `json:"pending"`
	// Dropped counts the dropped occurrences by reason. It contains only reasons whose count is not
	// 0.
	Dropped map[DropReason]int64 `json:"dropped,omitempty"`
}

// Add returns the sum of c and other, with the labels of c. It changes neither c nor other.
func (c LabeledCounts) Add(other LabeledCounts) LabeledCounts {
	sum := c
	sum.Observed += other.Observed
	sum.Overflowed += other.Overflowed
	sum.Recorded += other.Recorded
	sum.Pending += other.Pending
	sum.Dropped = addMaps(c.Dropped, other.Dropped)
	return sum
}

// SeriesState is a snapshot of the state of one series.
type SeriesState struct {
	// Namespace and Name are the namespace and the name of the Event on the server.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Regarding, Type, Reason, Action, ReportingController and Note are taken from the first
	// occurrence.
	Regarding           corev1.ObjectReference `json:"regarding"`
	Type                string                 `json:"type"`
	Reason              string                 `json:"reason"`
	Action              string                 `json:"action"`
	ReportingController string                 `json:"reportingController"`
	Note                string                 `json:"note"`
	// Observed, Recorded, Pending and Dropped count the occurrences of the series. As in [Stats],
	// Observed = Recorded + Pending + Dropped.
	Observed int64 `json:"observed"`
	Recorded int64 `json:"recorded"`
	Pending  int64 `json:"pending"`
	Dropped  int64 `json:"dropped"`
	// First is the time of the first occurrence that is counted in the Event.
	First time.Time `json:"first"`
	// Last is the time of the latest occurrence.
	Last time.Time `json:"last"`
	// PendingSince is the time at which the oldest pending occurrence was recorded, to the second.
	// It is zero if no occurrence is pending.
	PendingSince time.Time `json:"pendingSince,omitzero"`
	// Attempts is the number of writes since the last acknowledged one.
	Attempts int `json:"attempts"`
	// WaitsFor is the reason why the series is not being written yet. It is empty if nothing is
	// pending.
	WaitsFor Wait `json:"waitsFor,omitempty"`
	// WaitsSince is the time at which the write in flight was sent. It is zero if no write is in
	// flight.
	WaitsSince time.Time `json:"waitsSince,omitzero"`
	// WaitsUntil is the earliest time of the next write. It is zero if this time is unknown.
	WaitsUntil time.Time `json:"waitsUntil,omitzero"`
	// DroppedAs is the reason why further occurrences of the series are dropped, for example
	// because the selector does not match them. It is empty if further occurrences are not dropped.
	DroppedAs DropReason `json:"droppedAs,omitempty"`
}

// Wait is the reason why a series with pending occurrences is not being written yet.
type Wait string

// The reasons to wait.
const (
	// WaitStart: the broadcaster has not been started.
	WaitStart Wait = "Start"
	// WaitTurn: the series is due, but other series are written first. If many series wait for
	// their turn, the rate limit of the client may be too low.
	WaitTurn Wait = "Turn"
	// WaitAnswer: a write of the series is in flight.
	WaitAnswer Wait = "Answer"
	// WaitServer: the server does not answer, refuses every write, or has asked the client to wait.
	WaitServer Wait = "Server"
	// WaitNamespace: writes in the namespace fail or hang, or the namespace is being deleted.
	WaitNamespace Wait = "Namespace"
	// WaitEvent: writes of this Event have failed or were refused, and will be retried later.
	WaitEvent Wait = "Event"
	// WaitInterval: the Event is stored with an older count. The current count is written when an
	// interval ends.
	WaitInterval Wait = "Interval"
)

// Gate is a snapshot of the state of a gate and of the queue behind it. A gate holds back writes
// after failures: one gate holds back all writes to the server, and each namespace has a gate for
// the writes in this namespace. From time to time a closed gate lets a single write through, which
// is called a probe. The gate opens when a probe succeeds.
type Gate struct {
	// Namespace is the namespace of the gate. It is empty for the gate of the server.
	Namespace string `json:"namespace,omitempty"`
	// Closed is true while only probes may pass.
	Closed bool `json:"closed"`
	// Failures is the number of consecutive failures that have closed the gate and kept it closed.
	Failures int `json:"failures"`
	// OpensAt is the time of the next probe. It is zero if the gate is open.
	OpensAt time.Time `json:"opensAt,omitzero"`
	// Probing is true while a probe is in flight.
	Probing bool `json:"probing"`
	// LastError is the text of the last failure, or "none" if the server did not answer.
	LastError string `json:"lastError,omitempty"`
	// Failing is true if writes in the namespace hang or fail. Only one write of a failing
	// namespace is in flight at a time, and that write does not count towards the window.
	Failing bool `json:"failing"`
	// Waiting is the number of series that are due to be written. In package legacy, which has no
	// series, it is the number of objects with occurrences that are due to be written.
	Waiting int `json:"waiting"`
	// InFlight is the number of writes that have been sent but not answered yet.
	InFlight int `json:"inFlight"`
}

// Snapshot returns a copy of the state of the broadcaster: all counters, at most n series in each
// list, and the gates of at most n namespaces. It sends no requests. Like Stats, it takes time
// proportional to the number of series.
func (b *Broadcaster) Snapshot(n int) Snapshot {
	n = max(n, 0)
	now := b.engine.Snapshot(n)
	s := Snapshot{
		Time:     now.Time,
		Began:    now.Began,
		Stats:    b.stats(&now.Totals),
		Counts:   counts(now.Totals.Balances),
		Frequent: describe(now.Frequent, &now),
		Waiting:  describe(now.Waiting, &now),
		Window:   now.Writer.Window,
		Queues:   len(now.Writer.Gates) - 1,
		Options:  slices.Clone(b.engine.Config().Given),
		Selector: now.Selector,
	}
	for _, g := range now.Writer.Gates[:min(n, s.Queues)+1] {
		s.Gates = append(s.Gates, Gate(g))
	}
	return s
}

func counts(balances stats.Balances) []LabeledCounts {
	all := make([]LabeledCounts, 0, len(balances))
	for labels, b := range balances {
		dropped := stats.DroppedBy[DropReason](b)
		maps.DeleteFunc(dropped, func(_ DropReason, n int64) bool { return n == 0 })
		all = append(all, LabeledCounts{
			MetricLabels: MetricLabels(labels),
			Observed:     b.Observed,
			Overflowed:   b.Overflowed,
			Recorded:     b.Recorded,
			Pending:      b.Pending,
			Dropped:      dropped,
		})
	}
	slices.SortFunc(all, func(a, b LabeledCounts) int { return a.Compare(b.MetricLabels) })
	return all
}

// describe converts the states of series. If a series is due to be written, describe looks at the
// writer's gates to find out what the series is waiting for.
func describe(all []series.State, now *engine.Snapshot) []SeriesState {
	described := make([]SeriesState, len(all))
	for i := range all {
		s := seriesState(&all[i])
		switch {
		case s.WaitsFor == WaitTurn && !now.Started:
			s.WaitsFor = WaitStart
		case s.WaitsFor == WaitTurn:
			gate := now.Writer.Of(s.Namespace)
			if !gate.Closed && !gate.Probing {
				break
			}
			s.WaitsFor = WaitNamespace
			if gate.Namespace == "" {
				s.WaitsFor = WaitServer
			}
			if !gate.Probing {
				s.WaitsUntil = gate.OpensAt
			}
		}
		described[i] = s
	}
	return described
}

func seriesState(s *series.State) SeriesState {
	state := SeriesState{
		Namespace:           s.Namespace,
		Name:                s.Name,
		Regarding:           s.Regarding,
		Type:                s.Type,
		Reason:              s.Reason,
		Action:              s.Action,
		ReportingController: s.ReportingController,
		Note:                s.Note,
		Observed:            s.Observed,
		Recorded:            s.Recorded,
		Pending:             s.Pending,
		Dropped:             s.Dropped,
		First:               s.First,
		Last:                s.Last,
		PendingSince:        s.PendingSince,
		Attempts:            s.Attempts,
		WaitsFor:            Wait(s.WaitsFor.String()),
		WaitsSince:          s.WaitsSince,
		WaitsUntil:          s.WaitsUntil,
	}
	if s.DroppedAs != stats.None {
		state.DroppedAs = DropReason(s.DroppedAs.String())
	}
	return state
}
