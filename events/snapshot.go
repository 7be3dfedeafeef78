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

// Snapshot is a copy of what a broadcaster holds and what that waits for. Package debug
// shows it, and metrics are made of it. Fields may be added.
type Snapshot struct {
	// Time is when it was made, and Began when the broadcaster was, by its clock.
	Time  time.Time `json:"time"`
	Began time.Time `json:"began"`
	// Stats is one consistent snapshot of the totals. What follows is of about the same moment.
	Stats Stats `json:"stats"`
	// Counts are the accounts by labels, sorted. No count ever goes down but Pending.
	//
	// A broadcaster tells 1,000 label sets apart. In those that come later all but the type is
	// "other". So is a text of more than 512 bytes.
	Counts []LabeledCounts `json:"counts"`
	// Frequent are the series with the highest counts, the highest first.
	Frequent []SeriesState `json:"frequent"`
	// Waiting are the series with something pending, the longest wait first.
	Waiting []SeriesState `json:"waiting"`
	// Window is how many writes may be under way now. It follows the server, see
	// "Who is to blame" in DESIGN.md.
	Window int `json:"window"`
	// Gates say which writes are held back: first that of the server, then the namespaces
	// that fail, and those with the longest queues.
	Gates []Gate `json:"gates"`
	// Queues is how many namespaces have a queue or a closed gate, among Gates or not.
	Queues int `json:"queues"`
	// Options are those that were set, as they are written in code: "WithMaxSeries(8)", or
	// "WithDropHandler()" for what cannot be read. The logger, clock, scheme and context are
	// left out.
	Options []string `json:"options"`
	// Selector is that of SetSelector. It is empty if it selects everything.
	Selector string `json:"selector"`
}

// MetricLabels are what occurrences are counted by, beside the totals of [Stats].
type MetricLabels struct {
	// ReportingController is the recorder's, as it is on the Event.
	ReportingController string `json:"reportingController"`
	// RegardingKind is empty if the object cannot be referred to.
	RegardingKind string `json:"regardingKind"`
	// Type is Normal, Warning, or "other".
	Type string `json:"type"`
	// Reason is the event's own, as it is on the Event.
	Reason string `json:"reason"`
}

// Compare orders labels by their fields, the first one first.
func (l MetricLabels) Compare(m MetricLabels) int {
	return cmp.Or(
		cmp.Compare(l.ReportingController, m.ReportingController), cmp.Compare(l.RegardingKind, m.RegardingKind),
		cmp.Compare(l.Type, m.Type), cmp.Compare(l.Reason, m.Reason),
	)
}

// LabeledCounts are the accounts of the occurrences that have the same labels. As in [Stats],
// Observed = Recorded + Pending + the sum of Dropped.
type LabeledCounts struct {
	MetricLabels
	// Observed, Overflowed, Recorded and Pending are as in [Stats]. What overflowed has the
	// labels of the Event that it counts in.
	Observed   int64 `json:"observed"`
	Overflowed int64 `json:"overflowed"`
	Recorded   int64 `json:"recorded"`
	Pending    int64 `json:"pending"`
	// Dropped has the reasons with a count of more than 0.
	Dropped map[DropReason]int64 `json:"dropped,omitempty"`
}

// Add returns the sum of c and other, with the labels of c. It changes neither.
func (c LabeledCounts) Add(other LabeledCounts) LabeledCounts {
	sum := c
	sum.Observed += other.Observed
	sum.Overflowed += other.Overflowed
	sum.Recorded += other.Recorded
	sum.Pending += other.Pending
	sum.Dropped = addMaps(c.Dropped, other.Dropped)
	return sum
}

// SeriesState is a copy of one series.
type SeriesState struct {
	// Namespace and Name are those of the Event on the server.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Regarding, Type, Reason, Action, ReportingController and Note are the first
	// occurrence's.
	Regarding           corev1.ObjectReference `json:"regarding"`
	Type                string                 `json:"type"`
	Reason              string                 `json:"reason"`
	Action              string                 `json:"action"`
	ReportingController string                 `json:"reportingController"`
	Note                string                 `json:"note"`
	// Observed = Recorded + Pending + Dropped, as in [Stats].
	Observed int64 `json:"observed"`
	Recorded int64 `json:"recorded"`
	Pending  int64 `json:"pending"`
	Dropped  int64 `json:"dropped"`
	// First and Last are the times of occurrences. First is the first one that the
	// server may know of.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// PendingSince is when the oldest pending occurrence was recorded, to the second,
	// zero if none is pending.
	PendingSince time.Time `json:"pendingSince,omitzero"`
	// Attempts in a row were not acknowledged.
	Attempts int `json:"attempts"`
	// WaitsFor is the reason for which it is not written now, or empty if everything is recorded.
	WaitsFor Wait `json:"waitsFor,omitempty"`
	// WaitsSince is when the write in flight was sent.
	WaitsSince time.Time `json:"waitsSince,omitzero"`
	// WaitsUntil is the time of the next write at the earliest, zero if that is not known.
	WaitsUntil time.Time `json:"waitsUntil,omitzero"`
	// DroppedAs is the reason for which further occurrences are dropped, empty if they are not. A
	// selector that does not select them is one.
	DroppedAs DropReason `json:"droppedAs,omitempty"`
}

// Wait is the reason for which a series is not written now.
type Wait string

// The reasons to wait.
const (
	// WaitStart: the broadcaster was not started.
	WaitStart Wait = "Start"
	// WaitTurn: it is due, and others are written first. The client may be too slow.
	WaitTurn Wait = "Turn"
	// WaitAnswer: a write is in flight.
	WaitAnswer Wait = "Answer"
	// WaitServer: the server does not answer, refuses every write, or asked to wait.
	WaitServer Wait = "Server"
	// WaitNamespace: writes in the namespace fail or hang, or it is being deleted.
	WaitNamespace Wait = "Namespace"
	// WaitEvent: writes of this Event failed or were refused, and it is tried again later.
	WaitEvent Wait = "Event"
	// WaitInterval: the count on the server is old, and written after an interval.
	WaitInterval Wait = "Interval"
)

// Gate is a copy of a gate, which holds writes back after bad answers, and of the queue
// behind it.
type Gate struct {
	// Namespace is empty for the gates of the server.
	Namespace string `json:"namespace,omitempty"`
	// Closed says that no write passes but a probe.
	Closed bool `json:"closed"`
	// Failures in a row closed it and kept it closed.
	Failures int `json:"failures"`
	// OpensAt is when it lets one write through, to see whether that succeeds.
	OpensAt time.Time `json:"opensAt,omitzero"`
	// Probing says that this write is in flight.
	Probing bool `json:"probing"`
	// LastError is the last of the failures.
	LastError string `json:"lastError,omitempty"`
	// Failing says that writes in the namespace hang or fail. One is in flight at a time,
	// outside the window.
	Failing bool `json:"failing"`
	// Waiting is how many series, or objects in package legacy, are due and wait.
	Waiting int `json:"waiting"`
	// InFlight is how many writes were sent and not answered.
	InFlight int `json:"inFlight"`
}

// Snapshot returns what the broadcaster holds: all accounts, and at most n series of each
// kind and n namespaces. It sends no request. Its cost grows with the number of series, as
// that of Stats.
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

// describe converts the states of series, and adds which gate of the writer holds them back.
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
