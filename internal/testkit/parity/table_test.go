// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"strings"
	"testing"
)

// Caught: an answer that was deleted; a "kit:" answer that is the same as the server's.
func TestEveryRowHasAnAnswer(t *testing.T) {
	for _, file := range Load() {
		for _, scene := range file.Scenes {
			for _, row := range scene.Rows {
				if row.Answer == "" || row.Answer == row.Kit || strings.Contains(row.Answer, "no more") {
					t.Errorf("%s:%d: %s: answer %q, kit %q", file.Name, row.Line, row.Request, row.Answer, row.Kit)
				}
			}
		}
	}
}

// Caught: a second answer that replaces the first one.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"L1", "    ok", "L1 get core\n    ok\n    ok"} {
		if scenes, err := parse(text); err == nil {
			t.Errorf("parse(%q) = %v, want an error", text, scenes)
		}
	}
}

// Caught: only the first byte of the text repeated.
func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"<3*x>": "xxx", "a<2*é>b<1*€>": "aééb€", "<x*3>": "<x*3>", "<2*example.>": "example.example.", "": "",
	} {
		if got := expand(text); got != want {
			t.Errorf("expand(%q) = %q, want %q", text, got, want)
		}
	}
}

// Caught: a name that was not generated, abbreviated.
func TestAbbreviated(t *testing.T) {
	for _, r := range []struct {
		answer    string
		generated bool
		want      string
	}{
		{"422 Invalid Event/Bad_46spx metadata.name:X", true, "422 Invalid Event/Bad_????? metadata.name:X"},
		{"409 AlreadyExists events/$name", false, "409 AlreadyExists events/$name"},
		{"404 NotFound events/" + strings.Repeat("x", 254), false, "404 NotFound events/<254*x>"},
	} {
		if got := abbreviated(r.answer, r.generated); got != r.want {
			t.Errorf("abbreviated(%q) = %q, want %q", r.answer, got, r.want)
		}
	}
}
