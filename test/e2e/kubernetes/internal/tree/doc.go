// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tree makes copies of k8s.io/kubernetes that can be changed and built. A copy has the
// module from the proxy, and the published staging modules in place of the directory vendor. One
// copy is left unchanged, and the other is migrated by eventsmigrate.
//
// Before the migration, both copies get the main package of the hollow kubelet. They also get a
// line in the scheduler that logs the occurrences which it records, because the scheduler, unlike
// other components, does not log them.
package tree
