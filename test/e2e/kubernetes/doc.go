// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Kubernetes runs the same script in two clusters, one with unchanged Kubernetes components and one
// with components that eventsmigrate has migrated. It counts the Events that are recorded, written,
// refused and stored in both. run.sh runs it and writes docs/evidence/kubernetes.md.
package main
