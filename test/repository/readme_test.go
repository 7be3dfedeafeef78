// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/readme"
)

// The program in the README, as it stands there, builds, writes its Event to a server with an API server's rules, and
// ends with 0.
//
// Caught: a program without Shutdown, which ends before it has written; one that does not read $KUBECONFIG; an empty note.
func TestReadmeProgramRecords(t *testing.T) {
	atRoot(t)
	t.Parallel()
	program := build(t, readmeProgram(t))
	cluster := apiserver.New()
	server := httptest.NewServer(cluster)
	defer server.Close()

	home, file := readme.Kubeconfig(t, server.URL)
	empty := t.TempDir()
	for _, env := range [][]string{
		{"HOME=" + home, "USERPROFILE=" + home, "KUBECONFIG="},
		{"HOME=" + empty, "USERPROFILE=" + empty, "KUBECONFIG=" + file},
	} {
		run := exec.CommandContext(t.Context(), program)
		run.Env = append(append(os.Environ(), "HTTP_PROXY=", "http_proxy="), env...)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("the README's program with %v: %v\n%s", env, err, out)
		}
	}
	want := []eventstest.Series{{
		Type: "Normal", Reason: "Greeted", Action: "Greet", Note: "hello for the 1st time",
		Regarding: eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"},
		Count:     1,
	}}
	want = append(want, want[0]) // one of each run
	if diff := cmp.Diff(want, eventstest.SeriesOf(cluster.Events()...)); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
}

func readmeProgram(t *testing.T) string {
	t.Helper()
	for _, b := range parsePage("README.md", text(t, "README.md")).blocks {
		if b.language == "go" && strings.HasPrefix(b.text, "package main\n") {
			return b.text
		}
	}
	t.Fatal("README.md has no program")
	return ""
}

// build returns the program that source is, as one of the SDK's own module.
func build(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return readme.Build(t, file)
}
