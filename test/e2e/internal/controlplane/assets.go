// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
)

// assetsEnv is envtest's own variable for the directory with the programs.
const assetsEnv = "KUBEBUILDER_ASSETS"

// built is where `make controlplane` puts the programs, in the repository's root.
var built = filepath.Join("bin", "controlplane")

// Program returns the path of etcd, kube-apiserver or kubectl.
func Program(name string) (string, error) {
	dir, err := filepath.Abs(cmp.Or(os.Getenv(assetsEnv), nearest(built)))
	if err != nil {
		return "", fmt.Errorf("controlplane: %w", err)
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("controlplane: no %s in %s: run `make controlplane` at the root of the repository, "+
			"or let %s name a directory with etcd, kube-apiserver and kubectl", name, dir, assetsEnv)
	}
	return path, nil
}

// nearest returns path seen from the directory of the test package, in which
// `go test` runs it, or from the first directory above that has it.
func nearest(path string) string {
	dir := "."
	for range 8 { // more than the repository is deep
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return filepath.Join(dir, path)
}
