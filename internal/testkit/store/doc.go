// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package store answers requests about Events as a kube-apiserver does, in memory.
//
//	Request ──▶ rules of its group ──▶ objects ──▶ history ──▶ watchers
//
// There is one storage behind both API groups. Events go in and come out in their core/v1 shape; the group version of a
// request selects the rules, the patch's field names and the errors' group. Authorization, namespaces and discovery are
// not part of it.
//
//   - A [Store] is safe for concurrent use. It starts no goroutine, and nothing in it blocks.
//   - Nothing passed in is kept or changed, and what is handed out is the caller's.
//   - Versions and UIDs are counted up from one: two runs of the same requests store the same.
//   - What has expired is noticed by the next request, which also notifies the watchers.
package store
