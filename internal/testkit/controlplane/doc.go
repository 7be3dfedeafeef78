// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane runs etcd and kube-apiserver on this machine: on the loopback interface, with their files in a
// temporary directory. There are no controllers and no nodes, because Events need none.
//
// It is for tests, measurements and the demo. `make controlplane` builds the programs.
package controlplane
