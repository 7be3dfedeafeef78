// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mcevents_test

import (
	"testing"

	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program that the README names builds.
func TestReadmeProgramBuilds(t *testing.T) { readme.Build(t, "./example") }
