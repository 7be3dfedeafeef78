// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest edits RBAC: kubebuilder markers with the role that controller-gen makes of them, and roles in YAML or
// Helm templates. It only ever adds access to events.k8s.io. What it does not understand it leaves, and says where.
package manifest
