// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector decides which Events an operator wants, by Kubernetes' syntax of
// field selectors.
package selector
