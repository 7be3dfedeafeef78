// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a page that was changed by hand; results whose page was not written; a bound that is multiplied where it is to be
// divided; the slope of the values and not of their logarithms; a demand that is not counted.
func TestPagesAreOfTheResults(t *testing.T) {
	r, err := readResults("results")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages {
		want, err := r.page(name + ".tmpl")
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "evidence", name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s, `test/e2e/bench/run.sh -page` writes it (-of the results +there):\n%s", name, diff)
		}
	}
}
