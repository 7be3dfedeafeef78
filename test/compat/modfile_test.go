// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// The go.mod of a row is the module's own with newer requirements: it names the same module, lacks none, has none
// older, and has the row's minor of everything that is released with client-go.
//
// Caught: a requirement that only go.mod has, client-go of another minor, api and client-go of different patches.
func TestModFiles(t *testing.T) {
	sdk, here := parse(t, filepath.Join(root, "go.mod")), parse(t, "go.mod")
	for _, r := range rows {
		if r.component != clientGo {
			continue
		}
		if r.exact() {
			check(t, r, sdk, sdk)
			continue
		}
		check(t, r, parse(t, "client-go-"+r.release+".mod"), sdk)
		if r.release == newest {
			check(t, r, here, sdk)
			continue
		}
		dropin := parse(t, "dropin-"+r.release+".mod")
		check(t, r, dropin, sdk)
		if dropin.path != here.path {
			t.Errorf("dropin-%s.mod is of %s", r.release, dropin.path)
		}
		want := "v" + controllerRuntime[r.release]
		if got := dropin.versions["sigs.k8s.io/controller-runtime"]; semver.MajorMinor(got) != want {
			t.Errorf("dropin-%s.mod has controller-runtime %s, want %s", r.release, got, want)
		}
	}
}

// requirements is what a go.mod says.
type requirements struct {
	file, path string
	versions   map[string]string
	direct     map[string]bool // what a later release may not do without
}

func parse(t *testing.T, name string) requirements {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := requirements{
		file: name, path: file.Module.Mod.Path, versions: map[string]string{}, direct: map[string]bool{},
	}
	for _, require := range file.Require {
		r.versions[require.Mod.Path] = require.Mod.Version
		r.direct[require.Mod.Path] = !require.Indirect
	}
	return r
}

// check holds got, which is used for a row, against the SDK's own requirements.
func check(t *testing.T, r row, got, sdk requirements) {
	t.Helper()
	if strings.HasPrefix(got.file, clientGo) && got.path != sdk.path {
		t.Errorf("%s is of %s", got.file, got.path)
	}
	for path, least := range sdk.versions {
		has, found := got.versions[path]
		if (found || sdk.direct[path]) && semver.Compare(has, least) < 0 {
			t.Errorf("%s has %s %q, the SDK wants %s: run make compat-update", got.file, path, has, least)
		}
	}
	release := got.versions["k8s.io/client-go"]
	if !strings.HasPrefix(release+".", "v"+r.release+".") {
		t.Errorf("%s has client-go %s", got.file, release)
	}
	for _, path := range []string{"k8s.io/api", "k8s.io/apimachinery"} {
		if got.versions[path] != release {
			t.Errorf("%s has %s %s beside client-go %s", got.file, path, got.versions[path], release)
		}
	}
}
