// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package store answers requests about Events as a kube-apiserver does, in memory.
//
//	Request ──▶ rules of its group ──▶ objects ──▶ history ──▶ watchers
//
// As in a real server, both API groups share one storage. Requests and answers contain Events in
// the shape of core/v1. The group version of a request determines which rules are checked, which
// names the fields of a patch have, and which group an error names. Authorization, namespaces and
// discovery are not part of this package.
//
//   - A [Store] is safe for concurrent use. It starts no goroutine, and none of its methods blocks.
//   - A Store neither retains nor modifies its arguments, and callers may modify the objects that
//     it returns.
//   - Resource versions and UIDs are counted up from one, so two runs with the same requests store
//     the same Events.
//   - An Event that has expired is removed by the next request, which also notifies the watchers.
package store
