// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e migrates three modules of testdata as their owners would, and proves that they build, that their tests
// pass, and that they record what they recorded before.
//
//	operator    kubebuilder style: a manager, four reconcilers, leader election, RBAC in markers, kustomize and Helm
//	controller  client-go: hand-made broadcasters, informers, a leader election of its own
//	wrappers    recorders of its own, mocks, generics, a library that must stay old
//
// Each has a program cmd/scenario that has everything happen once and sends the Events to a server.
// testdata/golden has what the tool leaves to humans, and wrappers.patch what a human then did.
package e2e
