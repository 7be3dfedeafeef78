// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lint finds mistakes in code that records Kubernetes Events: what the
// API server refuses, what splits a series of events, and what is lost at the end
// of a process.
//
//	calls of recorders ──▶ survey ──▶ one analyzer per mistake
//	assignments, functions ──┘
//
// A recorder is recognised by the shape of its methods Event, Eventf and
// AnnotatedEventf: a runtime.Object, perhaps a second one, then three or four
// strings. So client-go's two packages, controller-runtime, this SDK and a
// module's own interfaces are all seen. The calls of a function that passes a
// parameter on to a recorder count, too, in the same package.
//
// Code in files that end in _test.go is not looked at.
package lint
