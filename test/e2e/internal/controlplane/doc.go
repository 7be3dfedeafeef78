// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane runs a real etcd and kube-apiserver in a child process.
//
// The child is the test binary itself. It owns controller-runtime's envtest, with
// envtest's goroutines, so that in the test process a goroutine that is left over
// after a test can only be the SDK's or the test's own: goleak needs no list of
// exceptions. Requests and answers are lines of JSON on the child's standard input
// and output; the end of its input, also when the test process dies, ends it and
// the programs it started.
package controlplane
