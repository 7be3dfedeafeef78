// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane runs a real etcd and kube-apiserver for tests, in a child process.
//
// The child runs the same binary as the test. It has the goroutines that a control plane and a
// proxy need. So a goroutine that is left in the test process belongs to the SDK or to the test,
// and goleak needs no exceptions. The test sends requests to the child's standard input, and reads
// the answers from its standard output, as lines of JSON. When the input ends, which also happens
// if the test process dies, the child stops etcd and kube-apiserver, and exits.
package controlplane
