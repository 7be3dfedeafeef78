// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// packedSDK is a rehearsal whose modules are served, and nothing else is: the network is not asked.
func packedSDK(t *testing.T, replacements ...string) *Rehearsal {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Setenv("GOPROXY", "off")
	r, _ := opened(t, replacements...)
	if _, err := r.pack(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// The README's program is built from the packed module, runs, and is seen by the cluster.
//
// Caught: a cluster that counts other requests; a program that writes nothing.
func TestReadme(t *testing.T) {
	r := packedSDK(t)
	got, err := r.readme(t.Context())
	const want = "1 modules in the program\nit wrote POST /apis/events.k8s.io/v1/namespaces/default/events, 2 bytes"
	if err != nil || got != want {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

// What the README of a module in contrib shows is built from the packed modules, without the replacement that the
// repository has.
func TestContribs(t *testing.T) {
	if got, err := packedSDK(t).contribs(t.Context()); err != nil || got != "contrib/metrics" {
		t.Errorf("got %q, %v", got, err)
	}
	_, err := packedSDK(t, "metrics.Count()", "metrics.Counts()").contribs(t.Context())
	if err == nil || !strings.Contains(err.Error(), "undefined: metrics.Counts") {
		t.Errorf("got %v", err)
	}
}

func TestReadmeRefuses(t *testing.T) {
	for _, test := range []struct{ name, from, to, want string }{
		{"a program that writes nothing", "store.Write() }", "_ = store.Write }", "wrote not one Event but []"},
		{"one that does not build", "store.Write() }", "store.Wrote() }", "undefined: store.Wrote"},
		{"one that fails", "store.Write() }", "store.Write(); panic(\"oh\") }", "panic: oh"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := packedSDK(t, test.from, test.to)
			if _, err := r.readme(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// A command of a nested module is found behind the SDK, which go has downloaded by then.
//
// Caught: GONOPROXY=none, with which go looks for it in the SDK's module only.
func TestRunNested(t *testing.T) {
	r := packedSDK(t)
	u, err := r.user(t.Context(), "nested", &txtar.Archive{})
	if err != nil {
		t.Fatal(err)
	}
	command := "example.com/sdk/tools/eventsmigrate@v0.1.0"
	if err := u.each(t.Context(), []string{"mod", "init", "example.com/user"}, []string{"get", r.get()},
		[]string{"run", command}); err != nil {
		t.Error(err)
	}
}

// Caught: a rehearsed version that stays in the machine's module cache, and is taken for the released one.
func TestLeavesNothingBehind(t *testing.T) {
	r := packedSDK(t)
	u, err := r.user(t.Context(), "cache", &txtar.Archive{})
	if err != nil {
		t.Fatal(err)
	}
	own, err := u.run(t.Context(), "go", "env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	if err := u.each(t.Context(), []string{"mod", "init", "example.com/user"}, []string{"get", r.get()}); err != nil {
		t.Fatal(err)
	}
	cached := filepath.Join("example.com", "sdk@v0.1.0")
	if _, err := os.Stat(filepath.Join(strings.TrimSpace(own), cached)); err != nil {
		t.Errorf("the rehearsal's cache: %v", err)
	}
	u.env = os.Environ()
	machine, err := u.run(t.Context(), "go", "env", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(strings.TrimSpace(machine), cached)); !os.IsNotExist(err) {
		t.Errorf("the machine's cache has it: %v", err)
	}
}
