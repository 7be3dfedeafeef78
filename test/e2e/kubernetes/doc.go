// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Kubernetes runs the same script in two clusters, one of Kubernetes as it is and one of Kubernetes as eventsmigrate
// makes it, and counts what becomes of the Events. run.sh runs it and writes docs/evidence/kubernetes.md.
package main
