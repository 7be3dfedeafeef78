// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

func TestVetTool(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "eventsmigrate")
	moduletest.Go(t, ".", "build", "-o", tool, ".")
	dir := inModule(t, withSDK+controller)
	before := tree(t, dir)
	for _, test := range []struct {
		name string
		args []string
		want string // empty: vet finds nothing
	}{
		{"rewrites and lints", nil, `user/user.go:10:2: Event becomes Eventf with action "Sync" (run eventsmigrate -fix)`},
		{"another target", []string{"-target=client-go"}, `with action "Sync" (run eventsmigrate -fix)`},
		{"lints only", []string{"-eventsmigrate=false"}, ""},
		{"one analyzer only", []string{"-eventreason"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			command := exec.Command("go", append(append([]string{"vet", "-vettool=" + tool}, test.args...), "./...")...)
			command.Dir = dir
			out, err := command.CombinedOutput()
			if (err == nil) != (test.want == "") || !strings.Contains(string(out), test.want) {
				t.Errorf("go vet %v: %v, want %q\n%s", test.args, err, test.want, out)
			}
		})
	}

	// Caught: the suggested fixes are left in, and go vet -fix writes a package's edits without those of its importers.
	command := exec.Command("go", "vet", "-vettool="+tool, "-fix", "./...")
	command.Dir = dir
	out, _ := command.CombinedOutput() // old versions of go know no -fix here, and fail
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("go vet -fix changed files (-before +after):\n%s\n%s", diff, out)
	}
}
