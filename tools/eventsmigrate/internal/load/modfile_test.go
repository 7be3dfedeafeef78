// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: the requirement lands in the last block, which is that of the indirect ones.
func TestRequirementIsDirect(t *testing.T) {
	dir := t.TempDir()
	goMod := filepath.Join(dir, "go.mod")
	const before = `module example.com/m

go 1.25.0

require (
	k8s.io/api v0.36.3
	k8s.io/client-go v0.36.3
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
)

replace github.com/eventseries/eventseries => ../sdk
`
	if err := os.WriteFile(goMod, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	project := &Project{Modules: []Module{{Path: "example.com/m", Dir: dir, GoMod: goMod}}, temporary: t.TempDir()}
	if err := project.requireSDK(t.Context(), project.Modules[0], ""); err != nil {
		t.Fatal(err)
	}
	files, err := project.Modfile()
	if err != nil {
		t.Fatal(err)
	}
	const want = `module example.com/m

go 1.25.0

require (
	github.com/eventseries/eventseries v0.0.0
	k8s.io/api v0.36.3
	k8s.io/client-go v0.36.3
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	k8s.io/klog/v2 v2.140.0 // indirect
)

replace github.com/eventseries/eventseries => ../sdk
`
	if diff := cmp.Diff(want, string(files[goMod])); diff != "" {
		t.Errorf("go.mod (-want +got):\n%s", diff)
	}
}
