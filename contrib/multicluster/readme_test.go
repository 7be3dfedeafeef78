// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mcevents_test

import (
	"testing"

	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program of the README is the directory example, and builds.
//
// Caught: a program that is not the README's.
func TestReadmeProgramBuilds(t *testing.T) { readme.Example(t, "README.md") }
