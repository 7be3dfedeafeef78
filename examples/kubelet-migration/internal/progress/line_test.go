// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOutput(t *testing.T) {
	for _, test := range []struct {
		name     string
		terminal bool
		want     string
	}{
		{"terminal", true, clear + "begin\n" +
			clear + "work: 1m0s of 8m0s" + clear + "work: 2m0s of 8m0s" +
			clear + "work: 3m0s of 8m0s" + clear + "work: 8m0s of 8m0s" + clear + "end\n"},
		{"elsewhere", false, "begin\nwork: 2m0s of 8m0s\nwork: 8m0s of 8m0s\nend\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			l := &Line{out: &out, terminal: test.terminal}
			l.Say("begin")
			for _, done := range []time.Duration{1, 2, 3, 8} {
				l.Step("work", done*time.Minute, 8*time.Minute)
			}
			l.Say("end")
			if diff := cmp.Diff(test.want, out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEachStepHasItsOwnQuarters(t *testing.T) {
	var out bytes.Buffer
	l := &Line{out: &out}
	l.Step("one", 4, 4)
	l.Say("next")
	l.Step("two", 4, 4)
	if got, want := out.String(), "one: 0s of 4ns\nnext\ntwo: 0s of 4ns\n"; got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

func TestFileIsNoTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if New(file).terminal {
		t.Error("a file was taken for a terminal")
	}
}
