// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// Config is the components of a run, and how the run ends.
type Config struct {
	Components []ComponentConfig
	TTL        time.Duration // of Events on the server
	Policy     string        // the reason of events that a policy of the server refuses; empty for none
	End        ending
	Final      finalState
}

// finalState is the state of the server in the end, unless a component cannot write in that state.
type finalState int

const (
	healthy finalState = iota // everything works
	denied                    // RBAC allows core/v1 only
	old                       // events.k8s.io/v1 is not served
)

func (c finalState) String() string { return [...]string{"healthy", "denied", "old"}[c] }

// ending is how a run ends.
type ending int

const (
	abruptly  ending = iota // what is not written may be abandoned
	flushed                 // the faults end, and Flush delivers everything
	waited                  // the faults end, and time alone delivers everything
	drained                 // the faults end, and Drain delivers everything without any back-off
	recurring               // the faults end, and what goes on occurring is recorded
)

func (e ending) String() string {
	return [...]string{"abruptly", "flushed", "waited", "drained", "recurring"}[e]
}

// shape is the kind of broadcaster that a component uses.
type shape int

const (
	viaAdapter shape = iota
	viaSeries        // an events.Broadcaster over one sink
	viaLegacy        // a legacy.Broadcaster
	shapes
)

func (s shape) String() string { return [...]string{"adapter", "series", "legacy"}[s] }

// ComponentConfig is the options of one component. Zero stands for the default.
type ComponentConfig struct {
	Shape        shape
	Mode         adapter.Mode // of an adapter; of viaSeries: which sink
	Notes        events.NotePolicy
	MaxSeries    int
	InFlight     int
	Filtered     bool          // the sink refuses some
	Early        bool          // started at the beginning
	Aggregate    bool          // package legacy aggregates similar events, from the first on
	SharedCounts bool          // events.WithSharedCounts, as one of several replicas
	Ahead        time.Duration // of its clock, before those of the others
	QPS          int           // of the client; 0: no limit
	Limit        int           // different Events of one object at a time; 0: no limit
	Published    int           // doubled counts, and one more in PublishEvery

	Publish, Refresh, Finish, RetryFor, WriteTimeout, DrainTimeout, PublishEvery time.Duration
}

func generateConfig(random *rand.Rand) Config {
	c := Config{
		TTL:   time.Duration(among(10, 60, 600, 3600, 3600)(random)) * time.Second,
		End:   ending(among(0, 0, 1, 1, 2, 3, 4, 4)(random)),
		Final: finalState(among(0, 0, 1, 2)(random)),
	}
	if random.IntN(4) == 0 {
		c.Policy = happenings[random.IntN(len(happenings))].reason
	}
	for range among(1, 1, 2, 3)(random) {
		c.Components = append(c.Components, generateComponent(random))
	}
	return c
}

var notePolicies = []events.NotePolicy{
	events.NotesFirst,
	events.NotesFirst,
	events.NotesLatest,
	events.NotesDistinct(1),
	events.NotesDistinct(2),
	events.NotesDistinct(10),
}

func generateComponent(random *rand.Rand) ComponentConfig {
	seconds := func(values ...int) time.Duration { return time.Duration(among(values...)(random)) * time.Second }
	modes := []adapter.Mode{
		adapter.ModeAuto, adapter.ModeAuto, adapter.ModeAuto, adapter.ModeAuto, adapter.ModeEventsV1, adapter.ModeCoreV1, adapter.ModeLegacy,
	}
	c := ComponentConfig{
		Shape:        []shape{viaAdapter, viaAdapter, viaSeries, viaLegacy}[random.IntN(4)],
		Mode:         modes[random.IntN(len(modes))],
		Notes:        notePolicies[random.IntN(len(notePolicies))],
		MaxSeries:    among(1, 3, 10, 50, 200, 0, 0)(random),
		InFlight:     among(1, 2, 4, 64)(random),
		Filtered:     random.IntN(4) == 0,
		Early:        random.IntN(8) > 0,
		QPS:          among(0, 0, 0, 1, 10)(random),
		Publish:      seconds(0, 0, -1, 1, 1),
		Refresh:      seconds(0, 5, 20, 60, 7200),
		Finish:       seconds(0, 0, 10, 900),
		WriteTimeout: seconds(0, 2, 5, 60),
		DrainTimeout: seconds(0, 1, 30),
	}
	c.Aggregate = random.IntN(2) == 0
	c.SharedCounts = random.IntN(2) == 0
	if c.QPS == 1 {
		// The questions about RBAC must fit into the time of a write, or they are never answered.
		c.WriteTimeout = 0
	}
	if random.IntN(3) == 0 {
		c.RetryFor = max(c.Finish, 6*time.Minute) + seconds(0, 60, 7200)
	}
	if c.SharedCounts && c.Shape == viaSeries {
		c.Ahead = seconds(0, 0, 30, 120, 86400)
	}
	c.Limit = among(0, 0, 1, 3, 10)(random)
	if c.Published = among(0, 0, 1, 3, 10)(random); c.Published > 0 {
		c.PublishEvery = seconds(1, 60, 7200)
	}
	return c
}

// String has a line for each component.
func (c Config) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ttl=%v policy=%q end=%v final=%v\n", c.TTL, c.Policy, c.End, c.Final)
	for i, component := range c.Components {
		fmt.Fprintf(&b, "component %d: %+v\n", i, component)
	}
	return b.String()
}
