// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster runs a Kubernetes cluster on this machine, with etcd, kube-apiserver,
// kube-controller-manager, kube-scheduler and hollow kubelets. Each is a process with an identity
// of its own, and has the permissions that Kubernetes gives to that identity.
package cluster
