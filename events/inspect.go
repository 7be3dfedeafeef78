// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/writer"
)

// Inspect returns what the broadcaster holds: at most n series of each kind and n
// namespaces. It sends no request. Its cost grows with the number of series, as that of
// Stats.
func (b *Broadcaster) Inspect(n int) Inspection {
	frequent, waiting := b.core.List(n, b.config.clock.Now())
	state := b.writer.Inspect(n)
	i := Inspection{
		Time: b.config.clock.Now(), Began: b.began, Stats: b.Stats(),
		Gates: newGates(&state), Settings: b.config.settings(),
	}
	describe := b.describer(&state, i.Time)
	i.Frequent, i.Waiting = describe(frequent), describe(waiting)
	return i
}

// describer returns a function that converts what the cache says of series, and adds
// what only the writer knows.
func (b *Broadcaster) describer(
	state *writer.State[series.Item], now time.Time,
) func([]series.State) []SeriesState {
	inFlight := make(map[series.Item]time.Duration, len(state.InFlight))
	for _, attempt := range state.InFlight {
		inFlight[attempt.Item] = attempt.For
	}
	started := false
	b.life.During(func(s broadcast.State) { started = s != broadcast.NotStarted })
	return func(all []series.State) []SeriesState {
		described := make([]SeriesState, len(all))
		for i := range all {
			s := &described[i]
			*s = newSeriesState(&all[i])
			switch took, found := inFlight[all[i].Item]; {
			case s.Wait.For == WaitAnswer && found:
				s.Wait.Since = now.Add(-took)
			case s.Wait.For == WaitWorker && !started:
				s.Wait.For = WaitStart
			case s.Wait.For == WaitWorker:
				hold, until := b.writer.WaitsFor(s.Namespace, all[i].NextOp)
				s.Wait = Wait{For: WaitReason(hold), Until: until}
			}
		}
		return described
	}
}

// newSeriesState converts what the cache knows of a series.
func newSeriesState(s *series.State) SeriesState {
	o := s.First()
	namespace, name := s.EventName()
	state := SeriesState{
		Namespace: namespace, Name: name, Regarding: o.Regarding.ObjectReference(),
		Type: o.Type, Reason: o.Reason, Action: o.Action, ReportingController: o.ReportingController, Note: o.Note,
		Observed: s.Observed, Recorded: s.Recorded, Pending: s.Pending, Dropped: s.Dropped,
		First: s.Began, Last: s.Last, PendingSince: s.PendingSince, Attempts: s.Attempts,
		Wait: Wait{For: waitReasons[s.Wait], Until: s.Until},
	}
	switch {
	case s.Muted():
		state.DroppedAs = Muted
	case s.RefusedFor != stats.None:
		state.DroppedAs = DropReason(s.RefusedFor.String())
	}
	return state
}

var waitReasons = [...]WaitReason{
	series.WaitNothing:  WaitNothing,
	series.WaitInFlight: WaitAnswer,
	series.WaitQueued:   WaitWorker,
	series.WaitBackoff:  WaitBackoff,
	series.WaitPublish:  WaitPublish,
	series.WaitRefresh:  WaitRefresh,
	series.WaitFinish:   WaitFinish,
	series.WaitRefused:  WaitRefused,
}

func newGates(s *writer.State[series.Item]) Gates {
	g := Gates{Server: Gate(s.Server), Pressure: Gate(s.Pressure), Queues: s.Queues, Waiting: s.Waiting}
	g.Namespaces = make([]NamespaceState, len(s.Namespaces))
	for i, n := range s.Namespaces {
		g.Namespaces[i] = NamespaceState{
			Namespace: n.Name, Suspect: n.Suspect, Waiting: n.Waiting, InFlight: n.InFlight,
			Gate: Gate(n.Gate), Creates: Gate(n.CreateGate),
		}
	}
	return g
}

// settings lists the options, but for the clock and the logger.
func (c *config) settings() []Setting {
	list := settings{}
	list.add("WithWorkers", c.workers, defaultWorkers)
	list.add("WithMaxSeries", c.maxSeries, defaultMaxSeries)
	list.add("WithPublishInterval", c.intervals.Publish, defaultPublish)
	list.add("WithPublishLimit", c.publishLimit, defaultPublishLimit)
	list.add("WithRefreshInterval", c.intervals.Refresh, defaultRefresh)
	list.add("WithFinishInterval", c.intervals.Finish, defaultFinish)
	list.add("WithRetryFor", c.intervals.RetryFor, max(defaultRetryFor, c.intervals.Finish))
	list.add("WithWriteTimeout", c.writeTimeout, defaultWrite)
	list.add("WithDrainTimeout", c.drainTimeout, defaultDrain)
	list.add("WithNotes", c.notes, NotesFirst)
	list.add("WithNotesFor", c.notesFor, map[string]NotePolicy{})
	list.add("WithContinuity", c.continuity, false)
	list.add("WithObjectLimit", c.limit, limit{})
	list.add("WithLabels", c.labels, "")
	list.add("WithReportingInstance", c.instance, "")
	list.add("WithClusterScopedNamespace", c.clusterScopedNS, metav1.NamespaceDefault)
	list.add("WithStrict", c.strict, false)
	list.add("WithLogDoublings", c.logDoublings, false)
	list.add("WithContextAnnotations", c.annotate != nil, false)
	list.add("WithDropHandler", c.onDrop != nil, false)
	list.add("WithOccurrenceHandler", c.onOccurrence != nil, false)
	return list
}

type settings []Setting

func (l *settings) add(option string, value, byDefault any) {
	*l = append(*l, Setting{Option: option, Value: fmt.Sprint(value), Default: fmt.Sprint(byDefault)})
}
