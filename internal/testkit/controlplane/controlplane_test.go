// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// assets makes programs out of shell scripts and points Start at them. The
// directory for temporary files is the second result.
func assets(t *testing.T, scripts map[string]string) (dir, temp string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	dir, temp = t.TempDir(), t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	t.Setenv("TMPDIR", temp)
	return dir, temp
}

func wantNothingLeft(t *testing.T, temp string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

func TestProgramThatEndsIsTheErrorOfStart(t *testing.T) {
	_, temp := assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": "echo the port is taken >&2; exit 3",
	})
	_, err := Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended") ||
		!strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("error %v, want who ended and what it said", err)
	}
	wantNothingLeft(t, temp)
}

// Caught: a flag of the caller beside the default, which a flag with a list adds up.
func TestFlagsReplaceDefaults(t *testing.T) {
	assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": `for flag; do case $flag in --authorization-mode=*) echo "got $flag" >&2; esac; done; exit 3`,
	})
	_, err := Start(t.Context(), "--authorization-mode=Node,RBAC")
	if err == nil || !strings.HasSuffix(err.Error(), "ends with:\ngot --authorization-mode=Node,RBAC") {
		t.Errorf("error %v, want one flag, the caller's", err)
	}
}
