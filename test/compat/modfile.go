// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/modfile"
)

// controllerRuntime has the minor of controller-runtime that is made for a minor of client-go. The newest is in
// go.mod.
var controllerRuntime = map[string]string{"0.35": "0.23", "0.36": "0.24"}

// newest is the minor of client-go that go.mod here has.
const newest = "0.37"

// updateModFiles moves every go.mod of a row with client-go to the newest patch.
func updateModFiles(ctx context.Context) error {
	for _, r := range rows {
		if r.component != clientGo || r.exact() {
			continue
		}
		modules := []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go"}
		queries := make([]string, len(modules))
		for i, m := range modules {
			queries[i] = m + "@v" + r.release
		}
		if err := update(ctx, "client-go-"+r.release, root, queries); err != nil {
			return err
		}
		if r.release == newest {
			continue
		}
		queries = append(queries, "sigs.k8s.io/controller-runtime@v"+controllerRuntime[r.release])
		if err := update(ctx, "dropin-"+r.release, ".", queries); err != nil {
			return err
		}
	}
	return nil
}

// update makes the go.mod called name from that of a module: what queries do not name is as old as they allow.
func update(ctx context.Context, name, dir string, queries []string) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	m := module{dir: dir, modFile: wd + "/" + name + ".mod"}
	source, err := os.ReadFile(dir + "/go.mod")
	if err != nil {
		return err
	}
	text, err := bare(source, queries)
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(dir + "/go.sum")
	if err != nil {
		return err
	}
	for file, content := range map[string][]byte{m.modFile: text, wd + "/" + name + ".sum": sums} {
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{append([]string{"get"}, queries...), {"mod", "tidy"}} {
		if _, err := m.output(ctx, args...); err != nil {
			return err
		}
	}
	version, err := m.version(ctx, "k8s.io/client-go")
	if err == nil {
		fmt.Printf("%s.mod: client-go %s\n", name, version)
	}
	return err
}

// bare is a go.mod without what queries name and what these modules require.
func bare(source []byte, queries []string) ([]byte, error) {
	file, err := modfile.Parse("go.mod", source, nil)
	if err != nil {
		return nil, err
	}
	for _, require := range file.Require {
		named := false
		for _, q := range queries {
			named = named || strings.HasPrefix(q, require.Mod.Path+"@")
		}
		if named || require.Indirect {
			if err := file.DropRequire(require.Mod.Path); err != nil {
				return nil, err
			}
		}
	}
	file.Cleanup()
	return file.Format()
}
