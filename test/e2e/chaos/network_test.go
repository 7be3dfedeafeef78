// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
)

// The directions of a connection.
const (
	upstream   = "upstream" // to the server
	downstream = "downstream"
)

// weather is one fault of the network.
type weather struct {
	name   string
	toxics []controlplane.Toxic
	lasts  time.Duration
}

// both is the same fault in both directions.
func both(kind string, attributes map[string]int) []controlplane.Toxic {
	return []controlplane.Toxic{one(upstream, kind, attributes), one(downstream, kind, attributes)}
}

func one(stream, kind string, attributes map[string]int) controlplane.Toxic {
	return controlplane.Toxic{Type: kind, Stream: stream, Attributes: attributes}
}

func just(toxic controlplane.Toxic) []controlplane.Toxic { return []controlplane.Toxic{toxic} }

// noAnswer lets the server hear all and say nothing.
var noAnswer = one(downstream, "timeout", map[string]int{"timeout": 0})

// weathers are what a network does, in the order of a bad day.
var weathers = []weather{
	{"latency", both("latency", map[string]int{"latency": 300, "jitter": 200}), 10 * time.Second},
	{"slow", both("bandwidth", map[string]int{"rate": 8}), 10 * time.Second}, // KB/s
	{"resets", both("reset_peer", map[string]int{"timeout": 0}), 5 * time.Second},
	// Connections end in the middle of a request, or of an answer.
	{"cut to the server", just(one(upstream, "limit_data", map[string]int{"bytes": 9000})), 5 * time.Second},
	{"cut from the server", just(one(downstream, "limit_data", map[string]int{"bytes": 9000})), 5 * time.Second},
	// Requests arrive long after the SDK has given them up.
	{"late", just(one(upstream, "latency", map[string]int{"latency": 60_000})), 40 * time.Second},
	// The server applies all requests, and its answers are lost.
	{"no answer", just(noAnswer), 40 * time.Second},
	{"blackhole", both("timeout", map[string]int{"timeout": 0}), 40 * time.Second},
}

// Caught: a Create tried again with a newer count, for which a 409 says nothing.
func TestNetwork(t *testing.T) {
	s := open(t, scenario{
		title:   "network slow, reset, cut, late, without answers, black hole",
		proxied: true,
	})
	s.Run(3 * time.Second)
	for _, w := range weathers {
		t.Log(w.name)
		for _, toxic := range w.toxics {
			s.must(s.plane.AddToxic(toxic))
		}
		s.Run(w.lasts)
		s.must(s.plane.RemoveToxics())
		s.recovers()
	}
	s.settle()
}

// A component ends while its writes arrive and no answer does: what was sent counts
// as dropped and as unconfirmed, and the server may have it.
//
// Caught: a drop that forgets that its write was sent.
func TestDrainWithoutAnswers(t *testing.T) {
	s := open(t, scenario{
		title:   "drained while no answers come",
		proxied: true,
		drops:   []events.DropReason{events.DropAbandoned},
	})
	s.Run(3 * time.Second)
	s.must(s.plane.AddToxic(noAnswer))
	s.Run(3 * time.Second)
	s.abandon()
	s.must(s.plane.RemoveToxics())
	s.account()
}
