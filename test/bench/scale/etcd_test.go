// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// An Event with managedFields is between half a kilobyte and one and a half.
// Caught: managedFields left out.
func TestStoredBytes(t *testing.T) {
	for _, through := range []string{eventsV1, coreV1} {
		if key, value := storedBytes(through); key < 50 || key > 100 || value < 550 || value > 1500 {
			t.Errorf("through %s: %d bytes of key, %d of value", through, key, value)
		}
	}
}

// Caught: atomic references owned field by field.
func TestOwnedFields(t *testing.T) {
	got := owned(map[string]any{
		"reason": "BackOff", "eventTime": nil, "involvedObject": map[string]any{"kind": "Pod"},
		"series": map[string]any{"count": 2},
	})
	want := map[string]any{
		"f:reason": struct{}{}, "f:involvedObject": struct{}{}, "f:series": map[string]any{"f:count": struct{}{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// tenMinutes has one write a second, and two in the second half.
func tenMinutes() *dayResult {
	r := &dayResult{
		Contender: world.SDK.Name, Config: load.Config{Nodes: 10, Span: 10 * time.Minute}, Alive: []int{100, 700, 300},
		Totals: world.Totals{Tally: world.Tally{Events: 300}}, Seconds: make([]world.Second, 600),
	}
	for i := range r.Seconds {
		r.Seconds[i] = world.Second{Creates: 1, Patches: int32(i / 300)}
	}
	return r
}

// Caught: revisions of one compaction interval only, the last sample instead of the highest.
func TestStorage(t *testing.T) {
	s := tenMinutes().storage()
	key, value := storedBytes(eventsV1)
	want := storage{
		Bytes: key + value, Alive: 700, Requests: 1.5, Busiest: 2, Expiring: 0.5, Revisions: 600 * (2 + 0.5),
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, want := s.times(10).database(), 10*s.database(); got != want {
		t.Errorf("ten times the cluster has %v bytes, want %v", got, want)
	}
}

// Caught: the larger of the two limits.
func TestFits(t *testing.T) {
	for _, tc := range []struct {
		name  string
		s     storage
		nodes int
		limit string
	}{
		{"much is stored", storage{Bytes: 1024 - revisionBytes, Alive: 1 << 20}, 40, "database size"},
		{"much is written", storage{Bytes: 1024, Busiest: etcdRequests / 2, Expiring: etcdRequests / 2}, 5, "requests"},
	} {
		if nodes, limit := tc.s.fits(10, 0.5); nodes != tc.nodes || limit != tc.limit {
			t.Errorf("%s: %d nodes by %s, want %d by %s", tc.name, nodes, limit, tc.nodes, tc.limit)
		}
	}
}
