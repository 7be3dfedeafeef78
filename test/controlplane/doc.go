// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane pins the versions of kube-apiserver, kubectl and etcd with which the
// end-to-end tests run. go.mod lists the programs as tools, and build.sh compiles them. Package
// differential uses code of the same versions as a library.
//
// It is a module of its own because k8s.io/kubernetes can only be built with a replace directive
// for each of its staging modules. These directives must not change the version of client-go with
// which the SDK is built.
package controlplane
