// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recording finds the calls that record Events, and which argument of each has which role.
//
//	dataflow.Package ──▶ Survey ──▶ Recording, by itself or through a function of the package
//
// A recorder is recognised by the shape of its methods Event, Eventf and AnnotatedEventf: a runtime.Object, perhaps a
// second one, then three or four strings. So client-go's two packages, controller-runtime, this SDK and a module's own
// interfaces are all seen. Code in files that end in _test.go is not looked at.
package recording
