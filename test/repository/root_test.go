// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"os"
	"sync"
	"testing"
)

// atRoot makes the root of the repository the working directory, as files are named from there. It is the first thing
// that each test does: in a TestMain the go command would not hear of it, look for the files elsewhere, and show old
// results when a page has changed.
func atRoot(t *testing.T) {
	t.Helper()
	if err := toRoot(); err != nil {
		t.Fatal(err)
	}
}

var toRoot = sync.OnceValue(func() error { return os.Chdir("../..") })
