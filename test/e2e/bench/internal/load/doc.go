// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package load is a model of the Events that the components of a large cluster record on a normal
// and on a bad day. It has no recorder, no server and no clock.
//
//	Config ──▶ Cluster: a heap of processes ──Next──▶ Emission, one call of Eventf at a time
//
// A process is a chain of Events with one cause, such as a rollout, a container that crashes, or a
// probe that fails. The model keeps only the processes that go on at the time. It keeps neither the
// 550,000 healthy pods nor a list of future Events. The numbers on which the model is based are
// constants in assumptions.go, each with its source.
//
// The same Config gives the same emissions, byte for byte. A Cluster is not safe for concurrent use.
package load
