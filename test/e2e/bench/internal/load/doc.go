// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load is what the components of a large cluster have to say on a normal and on a bad day: a model that knows
// nothing of recorders, servers or clocks.
//
//	Config ──▶ Cluster: a heap of processes ──Next──▶ Emission, one call of Eventf at a time
//
// A process is something that goes on by itself: a rollout, a container that crashes, a probe that fails. Only what
// goes on is kept, not the 550,000 pods that are well, and no list of what will be said. Each number that the model
// rests on is a constant in assumptions.go that says where it is from.
//
// The same Config gives the same emissions, byte for byte. A Cluster is not safe for concurrent use.
package load
