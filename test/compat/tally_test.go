// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: subtests that are counted, a package that does not build and is not, a package that is counted beside its
// test.
func TestTally(t *testing.T) {
	output := `{"Action":"run","Package":"a","Test":"TestOne"}
{"Action":"pass","Package":"a","Test":"TestOne/sub"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"of no interest\n"}
{"Action":"pass","Package":"a","Test":"TestOne"}
{"Action":"skip","Package":"a","Test":"TestTwo"}
{"Action":"output","Package":"a","Test":"TestThree","Output":"--- FAIL: TestThree\n"}
{"Action":"output","Package":"a","Test":"TestThree/sub","Output":"why\n"}
{"Action":"fail","Package":"a","Test":"TestThree/sub"}
{"Action":"fail","Package":"a","Test":"TestThree"}
{"Action":"fail","Package":"a"}
go: not JSON
{"Action":"output","Package":"b","Output":"does not build\n"}
{"Action":"fail","Package":"b"}
{"Action":"pass","Package":"c"}
`
	got := newTally("x")
	for _, part := range strings.SplitAfter(output, ":") { // any part of a line
		if _, err := got.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	want := suite{Name: "x", Passed: 1, Failed: 2, Skipped: 1, Failures: []string{"a.TestThree", "b"}}
	if diff := cmp.Diff(want, got.suite); diff != "" {
		t.Errorf("suite (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("--- FAIL: TestThree\nwhy\ndoes not build\n", got.failures.String()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}
