// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cluster runs a Kubernetes cluster on this machine: etcd, kube-apiserver, kube-controller-manager,
// kube-scheduler and hollow kubelets, each a process with its own identity, which has the permissions that Kubernetes
// gives it.
package cluster
