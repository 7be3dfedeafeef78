// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a patch as a text that is taken for a file; another tool's kustomization that is an error.
func TestKustomization(t *testing.T) {
	k, err := ParseKustomization(`
resources: [a.yaml, .]
bases: [../base]
components: [c]
patches: [{path: p.yaml, target: {kind: Role}}]
patchesJson6902: [{patch: '[]'}]
patchesStrategicMerge: [s.yaml, '{kind: Role}']
`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"k/a.yaml", "base", "k/c"}, k.Parts("k")); diff != "" {
		t.Errorf("parts (-want +got)\n%s", diff)
	}
	want := []Patch{
		{Path: "p.yaml", Target: &Selector{Kind: "Role"}}, {Patch: "[]"}, {Path: "s.yaml"}, {Patch: "{kind: Role}"},
	}
	if diff := cmp.Diff(want, k.AllPatches()); diff != "" {
		t.Errorf("patches (-want +got)\n%s", diff)
	}
	const flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nresources: {}\n"
	if k, err := ParseKustomization(flux); k != nil || err != nil {
		t.Errorf("another tool's: %v, %v", k, err)
	}
	if _, err := ParseKustomization("resources: {}\n"); err == nil {
		t.Error("no error for resources that are no list")
	}
}
