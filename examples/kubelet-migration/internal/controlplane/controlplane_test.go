// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"context"
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

func quiet(string, ...any) {}

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
	_, _, err := Start(t.Context(), quiet)
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended") ||
		!strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("error %v, want who ended and what it said", err)
	}
	wantNothingLeft(t, temp)
}

func TestStartEndsWithItsContext(t *testing.T) {
	_, temp := assets(t, map[string]string{
		"etcd":           "exec sleep 600",
		"kube-apiserver": "exec sleep 600",
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Start(ctx, quiet); err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("error %v, want that it is not ready", err)
	}
	wantNothingLeft(t, temp)
}

func TestMissingProgramsAreNamed(t *testing.T) {
	dir, _ := assets(t, map[string]string{"etcd": ""})
	_, _, err := Start(t.Context(), quiet)
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver") || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want what is missing and where", err)
	}
}

func TestFindLooksInParents(t *testing.T) {
	root := t.TempDir()
	bin, deep := filepath.Join(root, "bin", "controlplane"), filepath.Join(root, "a", "b")
	for _, dir := range []string{bin, deep} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(deep)
	if _, err := find(""); err == nil || !strings.Contains(err.Error(), "test/controlplane/build.sh") {
		t.Errorf("error without programs: %v, want how to build them", err)
	}
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if err := os.WriteFile(filepath.Join(bin, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	got, err := find("")
	if err != nil || filepath.Base(got) != "controlplane" {
		t.Errorf("find = %q, %v, want %q", got, err, bin)
	}
}
