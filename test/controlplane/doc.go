// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controlplane pins the versions of kube-apiserver, kubectl and etcd
// that the end-to-end tests run against. The programs are the tool directives of
// go.mod, and build.sh compiles them. Package differential uses the code of the
// same version as a library.
//
// It is a module of its own because k8s.io/kubernetes can only be built with a
// replace directive for each of its staging modules, and those must not reach
// the client-go version that the SDK is built with.
package controlplane
