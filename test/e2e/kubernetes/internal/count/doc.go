// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package count counts Events in three places: the occurrences that a component recorded, in its
// log; the requests that it sent and the ones that were refused, in the audit log of
// kube-apiserver; and the Events that are stored at the end.
//
// The log of a component has a line for each occurrence. client-go writes it before it filters, and
// the SDK before it counts. The other two counts do not look into the process of the component. No
// component needs a change for the counts.
package count
