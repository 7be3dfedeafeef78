// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manifest edits RBAC: kubebuilder markers with the role that controller-gen makes of them. It only ever adds access
// to events.k8s.io. Other roles, in YAML, Helm templates or Go code, it finds.
package manifest
