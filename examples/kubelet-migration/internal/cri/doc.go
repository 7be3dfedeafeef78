// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cri is a container runtime that lives in memory: enough of the
// container runtime interface for a kubelet to list, inspect, start, stop and
// watch containers, and enough faults to make that interesting.
//
// A container does what its [Image] says: it runs until it is stopped, ends
// after a while, or crashes again and again. Pulls can fail, the status of a
// pod can become unreadable, and the event stream can be cut.
//
// The runtime keeps time with package time only, so that it runs as well in a
// testing/synctest bubble as on a wall clock. All methods are safe for
// concurrent use. Calls that would take a real runtime some time sleep that
// long, without a lock, and return early with the error of their context.
package cri
