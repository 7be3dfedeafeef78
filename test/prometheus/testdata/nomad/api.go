// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package api stands for the client of Nomad, which is not built.
package api
