// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package readme builds the programs that the READMEs show or name, and gives them a kubeconfig. It
// also records the hour whose Events the README of the SDK shows.
package readme

import (
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Build compiles target, a package or a file in the test's module, and returns the path of the
// binary.
func Build(t testing.TB, target string) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "program.exe")
	// Linking takes half the time without debug information.
	link := "-ldflags=-s -w"
	build := exec.CommandContext(t.Context(), "go", "build", link, "-o", binary, target)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the program does not build: %v\n%s", err, out)
	}
	return binary
}

// Kubeconfig creates a home directory that contains a kubeconfig for the server at address. It
// returns the directory and the path of the kubeconfig, which is .kube/config in that directory.
func Kubeconfig(t testing.TB, address string) (home, file string) {
	t.Helper()
	home = t.TempDir()
	file = filepath.Join(home, ".kube", "config")
	config := clientcmdapi.NewConfig()
	config.Clusters["local"] = &clientcmdapi.Cluster{Server: address}
	config.Contexts["local"] = &clientcmdapi.Context{Cluster: "local"}
	config.CurrentContext = "local"
	if err := clientcmd.WriteToFile(*config, file); err != nil {
		t.Fatal(err)
	}
	return home, file
}
