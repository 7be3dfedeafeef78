// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package names has constants and variables of another package.
package names

const (
	Scaled  = "Scaled"
	Failed  = "failed to scale"
	Nothing = ""
)

var Chosen = "chosen"
