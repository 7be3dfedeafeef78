// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Caught: a name that is taken for all rows.
func TestChoose(t *testing.T) {
	if all, err := choose(nil); err != nil || len(all) != len(rows) {
		t.Errorf("choose() = %v, %v, want all", all, err)
	}
	one, err := choose([]string{"kube-apiserver-1.34"})
	if err != nil || len(one) != 1 || one[0] != (row{apiserver, "1.34"}) {
		t.Errorf("choose() = %v, %v", one, err)
	}
	if _, err := choose([]string{"client-go-0.1"}); err == nil {
		t.Error("a name of no row is taken")
	}
}

// The cases that are run against every kube-apiserver exist: go test -run says nothing about a name that matches
// none.
//
// Caught: a case that was renamed.
func TestCoreCasesExist(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "test", "e2e", "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	for _, name := range core {
		if !strings.Contains(source.String(), "\nfunc "+name+"(t *testing.T) {") {
			t.Errorf("test/e2e has no %s", name)
		}
	}
}

// Every minor of kube-apiserver can be built.
//
// Caught: a row without a go.mod in test/controlplane, a minor in the wrong one.
func TestControlPlanesAreThatMinor(t *testing.T) {
	for _, r := range rows {
		if r.component != apiserver {
			continue
		}
		dir := filepath.Join(root, "test", "controlplane")
		if r.release != current {
			dir = filepath.Join(dir, r.release)
		}
		got := parse(t, filepath.Join(dir, "go.mod")).versions["k8s.io/kubernetes"]
		if !strings.HasPrefix(got, "v"+r.release+".") {
			t.Errorf("%s: %s/go.mod has Kubernetes %s", r.name(), dir, got)
		}
	}
}
