// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/highest"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/writer"
)

// Inspect returns what waits for the sinks: at most n objects and n namespaces of each
// sink. It sends no request. Its cost grows with the number of objects.
func (b *Broadcaster) Inspect(n int) events.Inspection {
	i := events.Inspection{
		Time: b.config.clock.Now(), Began: b.began, Stats: b.Stats(), Settings: b.config.settings(),
	}
	for _, s := range b.attached() {
		state := s.writer.Inspect(n)
		addGates(&i.Gates, &state)
		i.Objects = append(i.Objects, s.objects(n, &state, i.Time)...)
	}
	return i
}

// objects returns the objects that wait longest.
func (s *sinkWriter) objects(n int, state *writer.State[*objectQueue], now time.Time) []events.ObjectState {
	inFlight := make(map[*objectQueue]time.Duration, len(state.InFlight))
	for _, attempt := range state.InFlight {
		inFlight[attempt.Item] = attempt.For
	}
	listed := s.backlog.list(n)
	objects := make([]events.ObjectState, len(listed))
	for i, o := range listed {
		objects[i] = o.state
		took, found := inFlight[o.queue]
		if found {
			objects[i].Wait = events.Wait{For: events.WaitAnswer, Since: now.Add(-took)}
			continue
		}
		hold, until := s.writer.WaitsFor(o.state.Namespace, o.op)
		objects[i].Wait = events.Wait{For: events.WaitReason(hold), Until: until}
	}
	return objects
}

// listed is a queue that waits, as it was when it was listed.
type listed struct {
	queue *objectQueue
	op    request.Op
	state events.ObjectState
}

// list returns the at most n queues whose head waits longest.
func (b *backlog) list(n int) []listed {
	longest := highest.New[listed](n)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, q := range b.queues {
		o := q.head()
		if o == nil {
			continue
		}
		if first := -int64(o.number); longest.Admits(first, 0) {
			longest.Add(first, 0, listed{q, q.class.Op(), events.ObjectState{
				Namespace: q.namespace, Regarding: o.object, Reason: o.reason,
				Pending: int64(q.occurrences.n), PendingSince: o.at,
			}})
		}
	}
	return longest.Values()
}

// addGates adds the gates of a sink. With several sinks the server's are the last one's
// that is closed.
func addGates(g *events.Gates, s *writer.State[*objectQueue]) {
	if s.Server.Closed {
		g.Server = events.Gate(s.Server)
	}
	if s.Pressure.Closed {
		g.Pressure = events.Gate(s.Pressure)
	}
	for _, n := range s.Namespaces {
		g.Namespaces = append(g.Namespaces, events.NamespaceState{
			Namespace: n.Name, Suspect: n.Suspect, Waiting: n.Waiting, InFlight: n.InFlight,
			Gate: events.Gate(n.Gate), Creates: events.Gate(n.CreateGate),
		})
	}
	g.Queues += s.Queues
	g.Waiting += s.Waiting
}

// settings lists the options, but for the clock, the logger and the context.
func (c *config) settings() (list []events.Setting) {
	add := func(option string, value, byDefault any) {
		list = append(list, events.Setting{Option: option, Value: fmt.Sprint(value), Default: fmt.Sprint(byDefault)})
	}
	add("WithWorkers", c.workers, defaultWorkers)
	add("WithWriteTimeout", c.writeTimeout, defaultWriteTimeout)
	add("WithDrainTimeout", c.drainTimeout, defaultDrainTimeout)
	add("WithLabels", c.labels, "")
	add("WithContextAnnotations", c.annotate != nil, false)
	add("WithDropHandler", c.dropHandler != nil, false)
	o := &c.correlator
	add("WithCorrelatorOptions", o.LRUCacheSize+o.BurstSize+o.MaxEvents+o.MaxIntervalInSeconds != 0 || o.QPS != 0 ||
		o.KeyFunc != nil || o.MessageFunc != nil || o.SpamKeyFunc != nil, false)
	return list
}
