// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"

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

// weathers are what a network does, in the order of a bad day.
var weathers = []weather{
	{"latency", both("latency", map[string]int{"latency": 300, "jitter": 200}), 10 * time.Second},
	{"slow", both("bandwidth", map[string]int{"rate": 8}), 10 * time.Second}, // KB/s
	{"resets", both("reset_peer", map[string]int{"timeout": 0}), 5 * time.Second},
	// Connections end in the middle of a request, or of an answer.
	{"cut upstream", []controlplane.Toxic{one(upstream, "limit_data", map[string]int{"bytes": 9000})}, 10 * time.Second},
	{"cut downstream", []controlplane.Toxic{one(downstream, "limit_data", map[string]int{"bytes": 9000})}, 10 * time.Second},
	// The server carries out all that arrives, and nobody hears of it.
	{"no answer", []controlplane.Toxic{one(downstream, "timeout", map[string]int{"timeout": 0})}, 40 * time.Second},
	{"blackhole", both("timeout", map[string]int{"timeout": 0}), 40 * time.Second},
}

func TestNetwork(t *testing.T) {
	long(t)
	s := open(t, plot{
		title:   "network: latency, slow, resets, cut up/down, no answer, blackhole",
		proxied: true,
	})
	s.Rage(3 * time.Second)
	for _, w := range weathers {
		t.Log(w.name)
		for _, toxic := range w.toxics {
			s.must(s.plane.Spoil(toxic))
		}
		s.Rage(w.lasts)
		s.must(s.plane.Heal())
		s.recovers()
	}
	s.settle()
}
