// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package loadtest loads the modules of tests.
package loadtest

import (
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
)

// Programs returns the programs of all packages of the module in a directory: those of each build, which is given by its tags.
func Programs(t testing.TB, dir string, builds ...string) []*load.Program {
	t.Helper()
	project, err := load.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := project.Close(); err != nil {
			t.Error(err)
		}
	})
	var scopes []*load.Scope
	for _, tags := range builds {
		found, err := project.Scopes(t.Context(), []string{"./..."}, tags)
		if err != nil {
			t.Fatal(err)
		}
		scopes = append(scopes, found...)
	}
	programs, err := project.Load(t.Context(), scopes, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	return programs
}
