// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

// facts returns what the RBAC of a module has to allow, by its code after the edits. It looks at names, not at types.
func (m *migration) facts(module load.Module) (manifest.Facts, error) {
	facts := manifest.Facts{Target: m.options.target}
	edited := map[string][]byte{}
	for _, file := range m.report.Files {
		edited[file.Name] = file.After
	}
	recorded, program := false, false
	var selected []*packages.Package
	for _, build := range m.programs {
		selected = append(selected, build.Selected...)
	}
	for _, pkg := range selected {
		program = program || pkg.Name == "main" && pkg.Module.Path == module.Path
		for _, syntax := range pkg.Syntax {
			name := pkg.Fset.File(syntax.FileStart).Name()
			if strings.HasSuffix(name, "_test.go") || !inside(name, module.Dir) {
				continue
			}
			fset := pkg.Fset
			if text, found := edited[name]; found {
				fset = token.NewFileSet()
				parsed, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
				if err != nil {
					return facts, err
				}
				syntax = parsed
			}
			recorded = records(syntax) || recorded
			for _, writer := range coreWriters(syntax) {
				relative, _ := filepath.Rel(module.Dir, name) // it is inside
				line := fset.PositionFor(writer.at, false).Line
				facts.CoreWriters = append(facts.CoreWriters,
					fmt.Sprintf("%s:%d: %s", filepath.ToSlash(relative), line, writer.what))
			}
		}
	}
	facts.Records = recorded && program // a library has no RBAC of its own
	slices.Sort(facts.CoreWriters)
	facts.CoreWriters = slices.Compact(facts.CoreWriters)
	if recorded && m.options.target == "sdk" {
		facts.CoreWriters = append(facts.CoreWriters,
			"the SDK's adapter (where events.k8s.io is missing or forbidden, and to roll back with EVENTSERIES_API=core)")
	}
	return facts, nil
}

func inside(name, dir string) bool {
	relative, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(relative)
}

// recordingNames are the methods that record, and those that make a recorder.
var recordingNames = map[string]bool{
	"Event": true, "Eventf": true, "AnnotatedEventf": true, "GetEventRecorder": true, "GetEventRecorderFor": true,
}

func records(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			selector, ok := call.Fun.(*ast.SelectorExpr)
			found = found || ok && recordingNames[selector.Sel.Name]
		}
		return !found
	})
	return found
}

// coreWriter is a place in code that makes a writer of core/v1 Events.
type coreWriter struct {
	at   token.Pos
	what string
}

// coreFunctions names what makes a writer of core/v1, by import path and name.
var coreFunctions = map[string]map[string]string{
	"k8s.io/client-go/tools/record": {
		"NewBroadcaster":                      "a broadcaster of tools/record",
		"NewBroadcasterWithCorrelatorOptions": "a broadcaster of tools/record",
	},
	"k8s.io/client-go/tools/leaderelection/resourcelock": {
		"New": "leader election", "NewFromKubeconfig": "leader election", "LeaseLock": "leader election",
	},
	load.SDK + "/legacy": {"NewBroadcaster": "a broadcaster of legacy"},
}

func coreWriters(file *ast.File) []coreWriter {
	imported := map[string]map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || coreFunctions[path] == nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = coreFunctions[path]
	}
	var writers []coreWriter
	ast.Inspect(file, func(n ast.Node) bool {
		if what := coreUse(n, imported); what != "" {
			writers = append(writers, coreWriter{n.Pos(), what})
		}
		return true
	})
	return writers
}

func coreUse(n ast.Node, imported map[string]map[string]string) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if n.Sel.Name == "GetEventRecorderFor" {
			return "a recorder of GetEventRecorderFor"
		}
		if x, ok := n.X.(*ast.Ident); ok {
			return imported[x.Name][n.Sel.Name]
		}
	case *ast.KeyValueExpr: // ctrl.Options{LeaderElection: true}
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "LeaderElection" && !isFalse(n.Value) {
			return "leader election"
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			selector, ok := left.(*ast.SelectorExpr)
			if ok && selector.Sel.Name == "LeaderElection" && i < len(n.Rhs) && !isFalse(n.Rhs[i]) {
				return "leader election"
			}
		}
	}
	return ""
}

func isFalse(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "false"
}
