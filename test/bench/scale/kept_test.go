// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"testing"
)

// Caught: a result of other code or another cluster in the page of this one; one that replaced that of another job;
// -fresh and -page without effect.
func TestArchive(t *testing.T) {
	dir := t.TempDir()
	j := job{Kind: "day", Contender: "eventseries", Config: small}
	bad := j
	bad.Config.Bad = true
	larger := j
	larger.Config.Nodes++
	a := &archive{dir: dir, build: "1"}
	for result, of := range map[string]job{`{"n":1}`: j, `{"n":2}`: bad} {
		if err := a.put(of, json.RawMessage(result)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		a    archive
		j    job
		want string
	}{
		{"the same", archive{build: "1"}, j, `{"n":1}`},
		{"another day", archive{build: "1"}, bad, `{"n":2}`},
		{"another cluster", archive{build: "1"}, larger, ""},
		{"never done", archive{build: "1"}, job{Kind: "idle", Config: small}, ""},
		{"other code", archive{build: "2"}, j, ""},
		{"for the page", archive{build: "2", any: true}, j, `{"n":1}`},
		{"from the start", archive{build: "1", fresh: true}, j, ""},
	} {
		tt.a.dir = dir
		got, err := tt.a.find(tt.j)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, %v, want %s", tt.name, got, err, tt.want)
		}
	}
}
