// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package realapi measures recorders on a real kube-apiserver and etcd, which run
// on the same machine and take most of its time.
//
//	Run ──▶ control plane ──▶ rounds: each contender in turn, in namespaces of its own
//	                                    └▶ trial: own connection ──▶ meter ──▶ kube-apiserver
//
// What counts as delivered is what the server has afterwards, by a list. The floor
// is the bare typed client with as many goroutines as the recorder has writers: it
// knows what to write, asks nothing and keeps nothing.
//
// To be fair to all: one control plane serves a scene; the order rotates from round
// to round; every trial has a new connection, warmed up by making its namespaces;
// nobody has a client-side rate limit; figures are compared within a round only.
package realapi
