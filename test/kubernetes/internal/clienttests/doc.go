// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clienttests runs the tests of client-go's packages tools/events and tools/record on the SDK. The tests are
// read from the module cache and are parts of those packages, so a file of ours stands in for each: it has the names that
// the package exports. What needs another name tests internals and is left out.
package clienttests
