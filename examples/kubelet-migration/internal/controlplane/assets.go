// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"fmt"
	"os"
	"path/filepath"
)

// find returns the directory with the programs: the one that is named, or
// bin/controlplane in this directory or one above it.
func find(named string) (string, error) {
	if named != "" {
		return named, complete(named)
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("controlplane: %w", err)
	}
	for {
		candidate := filepath.Join(dir, "bin", "controlplane")
		if complete(candidate) == nil {
			return candidate, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("controlplane: no etcd and kube-apiserver in bin/controlplane; " +
				"build them with test/controlplane/build.sh or set KUBEBUILDER_ASSETS to where they are")
		}
		dir = parent
	}
}

// complete fails if a directory lacks a program.
func complete(dir string) error {
	for _, name := range []string{"etcd", "kube-apiserver"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.IsDir() {
			return fmt.Errorf("controlplane: no %s in %s; build it with test/controlplane/build.sh", name, dir)
		}
	}
	return nil
}
