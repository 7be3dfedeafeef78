// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The role that is edited is the one that controller-gen makes of the edited markers.
func TestControllerGen(t *testing.T) {
	m := newModule(t, "operator")
	file := filepath.Join(m.dir, "config", "rbac", "role.yaml")
	generate := func() string {
		m.run("go", "run", "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0",
			"rbac:roleName=manager-role", "paths=./...", "output:rbac:dir=config/rbac")
		text, err := os.ReadFile(file)
		m.must(err)
		return string(text)
	}
	generate()
	m.migrate("-fix")
	got, err := os.ReadFile(file)
	m.must(err)
	if diff := cmp.Diff(generate(), string(got)); diff != "" || !strings.Contains(string(got), "events.k8s.io") {
		t.Errorf("role.yaml (-controller-gen +eventsmigrate):\n%s", diff)
	}
}
