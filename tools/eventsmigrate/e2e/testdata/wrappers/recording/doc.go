// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recording has the recorders of the pipelines: with a prefix, without repeats, to many.
package recording
