// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest finds and edits RBAC for Events. It only ever adds access to events.k8s.io.
//
// Kubebuilder markers are edited together with the role that controller-gen makes of them. Other roles are read, in
// YAML, Helm templates, jsonnet and Go code; a rule can be inserted in YAML, and in templates where no action is in the
// way.
package manifest
