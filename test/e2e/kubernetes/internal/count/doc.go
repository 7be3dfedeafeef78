// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package count counts Events three times: what a component recorded, by its log; what it wrote and what was refused, by
// the audit log of kube-apiserver; and what is stored at the end.
//
// The log has a line for each occurrence, which client-go writes before it filters and the SDK before it counts. It is
// the only count that looks into the process, and it needs no change of the components.
package count
