// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tree makes copies of k8s.io/kubernetes that can be changed and built: its module from the proxy, with the
// published staging modules in place of vendor. One copy stays as it is, the other is migrated by eventsmigrate.
//
// Both get the main package of the hollow kubelet, before the migration, and a line in the scheduler that logs what it
// records, which the scheduler alone does not.
package tree
