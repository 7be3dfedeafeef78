// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"
)

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, target string
		versions     map[string]dependency
		want         string
	}{
		{name: "new enough", target: "sdk", versions: map[string]dependency{clientGo: {version: "v0.35.0"}}},
		{
			// Caught: versions are compared as text.
			name: "client-go is too old for the SDK", target: "sdk",
			versions: map[string]dependency{clientGo: {version: "v0.9.0"}},
			want: "-target=sdk needs k8s.io/client-go v0.35.0, the module has v0.9.0: raise it first, " +
				"go get k8s.io/client-go@v0.35.0",
		},
		{
			// Caught: client-go alone is raised, and controller-runtime does not fit it.
			name: "both are too old for the SDK", target: "sdk",
			versions: map[string]dependency{clientGo: {version: "v0.34.1"}, controllerRuntime: {version: "v0.22.4"}},
			want: "-target=sdk needs k8s.io/client-go v0.35.0, the module has v0.34.1, and sigs.k8s.io/controller-runtime v0.22.4 " +
				"with it: raise it first, go get sigs.k8s.io/controller-runtime@v0.23.0",
		},
		{name: "a directory instead", target: "sdk", versions: map[string]dependency{clientGo: {}}},
		{
			name: "controller-runtime is too old", target: "controller-runtime",
			versions: map[string]dependency{controllerRuntime: {version: "v0.22.4"}},
			want: "-target=controller-runtime needs sigs.k8s.io/controller-runtime v0.23.0, the module has v0.22.4: " +
				"raise it first, go get sigs.k8s.io/controller-runtime@v0.23.0",
		},
		{
			name: "no controller-runtime", target: "controller-runtime",
			versions: map[string]dependency{clientGo: {version: "v0.37.0"}},
			want: "the module does not use sigs.k8s.io/controller-runtime: " +
				"choose -target=sdk or -target=client-go",
		},
		{
			name: "client-go without contextual logging", target: "client-go",
			versions: map[string]dependency{clientGo: {version: "v0.28.0"}},
			want: "-target=client-go needs k8s.io/client-go v0.29.0, the module has v0.28.0: raise it first, " +
				"go get k8s.io/client-go@v0.29.0",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := check(test.target, test.versions); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("check (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: go get is advised, which changes nothing behind a replace; one line of a block is named, whose modules only work
// together.
func TestReplaced(t *testing.T) {
	const head = "module example.com/m\n\ngo 1.25.0\n\n"
	for _, test := range []struct{ name, replace, want string }{
		{
			"a block", "replace (\n\ta.io/b => a.io/b v1.0.0\n\tk8s.io/api => k8s.io/api v0.34.5\n" +
				"\tk8s.io/client-go => k8s.io/client-go v0.34.5\n)\n",
			"raise it to v0.35.0 or newer first, in go.mod, whose lines 7 to 8 replace it and what moves with it",
		},
		{
			"one line", "replace k8s.io/client-go => example.com/fork v0.34.5\n",
			"raise it to v0.35.0 or newer first, in go.mod, whose lines 5 to 5 replace it and what moves with it",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := modfile.Parse("/m/go.mod", []byte(head+test.replace), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := dependency{replaces: block(file, clientGo)}.raise(clientGo, "v0.35.0")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("raise (-want +got):\n%s", diff)
			}
		})
	}
}
