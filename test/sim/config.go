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

// Config has the components of a run, and the way in which the run ends.
type Config struct {
	Components []ComponentConfig
	// TTL is the time for which the server keeps Events.
	TTL time.Duration
	// Policy is the reason of the events that a policy of the server refuses, or empty.
	Policy string
	End    ending
	Final  finalState
}

// finalState is the state of the server at the end of a run. If a component cannot write in that
// state, the server is healthy.
type finalState int

const (
	// healthy means that everything works.
	healthy finalState = iota
	// denied means that RBAC allows core/v1 only.
	denied
	// old means that events.k8s.io/v1 is not served.
	old
	// old138 is old with the answer of Kubernetes 1.38.
	old138
)

func (c finalState) String() string { return [...]string{"healthy", "denied", "old", "old138"}[c] }

// ending is the way in which a run ends. In all ways except abruptly, the faults end first.
type ending int

const (
	// abruptly means that pending occurrences may be abandoned.
	abruptly ending = iota
	// flushed means that Flush delivers everything.
	flushed
	// waited means that everything is delivered after some time.
	waited
	// drained means that Drain delivers everything without any back-off.
	drained
	// recurring means that occurrences which go on are recorded again.
	recurring
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

// ComponentConfig has the options of one component. Zero stands for the default.
type ComponentConfig struct {
	Shape shape
	// Mode is the mode of an adapter. With viaSeries it selects the sink.
	Mode      adapter.Mode
	Notes     events.NotePolicy
	MaxSeries int
	InFlight  int
	// Filtered gives the component a sink that filters some events.
	Filtered bool
	// Early starts the component at the beginning of the run.
	Early bool
	// Aggregate makes package legacy aggregate similar events from the first one on.
	Aggregate bool
	// SharedCounts sets events.WithSharedCounts, and makes the component one of several replicas.
	SharedCounts bool
	// Ahead is the time by which the clock of the component is ahead of the other clocks.
	Ahead time.Duration
	// QPS is the rate limit of the client, or 0 for none.
	QPS int
	// Limit is the limit of series per object, or 0 for none.
	Limit int
	// Published is the number of doubled counts that may be written at once. One more may be
	// written in each PublishEvery.
	Published int

	Publish, Refresh, Finish, RetryFor, WriteTimeout, DrainTimeout, PublishEvery time.Duration
}

func generateConfig(random *rand.Rand) Config {
	c := Config{
		TTL:   time.Duration(among(10, 60, 600, 3600, 3600)(random)) * time.Second,
		End:   ending(among(0, 0, 1, 1, 2, 3, 4, 4)(random)),
		Final: finalState(among(0, 0, 1, 2, 3)(random)),
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
		// The access reviews of a write must end within its timeout, because otherwise they are
		// never answered.
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

// String returns a line for each component.
func (c Config) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ttl=%v policy=%q end=%v final=%v\n", c.TTL, c.Policy, c.End, c.Final)
	for i, component := range c.Components {
		fmt.Fprintf(&b, "component %d: %+v\n", i, component)
	}
	return b.String()
}
