// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane runs a real etcd and kube-apiserver for tests, in a child
// process.
//
// The child is the test binary itself. It owns the goroutines of a control plane and
// of a proxy. So a goroutine that is left in the test process belongs to the SDK or to
// the test, and goleak needs no exceptions. Requests and answers are lines of JSON on
// the child's standard input and output. When its input ends, also because the test
// process has died, the child stops the programs and ends.
package controlplane
