// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package golangci_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/golangci"
)

func TestNear(t *testing.T) {
	for name, row := range map[string]struct {
		config  string
		columns int
		refuses bool
	}{
		"nothing":     {"", 0, false},
		"not YAML":    {"{", 0, false},
		"no depguard": {"linters:\n  enable: [lll]\n", 120, false},
		"version 2": {
			"linters:\n  settings:\n    depguard:\n      rules:\n        main:\n          allow: [$gostd, k8s.io/]\n", 0, true,
		},
		"version 1": {"linters-settings:\n  depguard:\n    rules:\n      main:\n        allow: [$gostd, k8s.io/]\n", 0, true},
		"of tests": {
			"linters-settings:\n  depguard:\n    rules:\n      main:\n        files: [$test]\n        allow: [$gostd]\n", 0, false,
		},
		"lax": {
			"linters-settings:\n  depguard:\n    rules:\n      main:\n        list-mode: lax\n        allow: [$gostd]\n", 0, false,
		},
		"a prefix": {
			"linters-settings:\n  depguard:\n    rules:\n      main:\n        allow: [github.com/eventseries]\n", 0, false,
		},
		"denied only": {
			"linters-settings:\n  depguard:\n    rules:\n      main:\n        deny: [{pkg: io/ioutil}]\n", 0, false,
		},
		"disabled": {
			"linters:\n  disable: [depguard]\nlinters-settings:\n  depguard:\n    rules:\n      main:\n        allow: [$gostd]\n",
			0, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, ".golangci.yaml")
			if err := os.WriteFile(file, []byte(row.config), 0o600); err != nil {
				t.Fatal(err)
			}
			at, config := golangci.Near(filepath.Join(dir, "pkg", "controller"))
			if at != file {
				t.Errorf("found %q, want the file above", at)
			}
			if got := config.Columns(); got != row.columns {
				t.Errorf("%d columns, want %d", got, row.columns)
			}
			if got := config.Refuses("github.com/eventseries/eventseries/adapter"); got != row.refuses {
				t.Errorf("refuses the SDK: %v", got)
			}
		})
	}
}
