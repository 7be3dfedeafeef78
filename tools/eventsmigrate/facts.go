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
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// facts returns what the RBAC of a module has to allow, by its code after the edits, and whether it writes through
// events.k8s.io at all. It looks at names, not at types.
func (m *migration) facts(module load.Module) (facts manifest.Facts, writes bool, err error) {
	edited := map[string][]byte{}
	for _, file := range m.report.Files {
		edited[file.Name] = file.After
	}
	var selected []*packages.Package
	for _, build := range m.programs {
		selected = append(selected, build.Selected...)
	}
	var all uses
	program := false
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
				if syntax, err = parser.ParseFile(fset, name, text, parser.SkipObjectResolution); err != nil {
					return facts, false, err
				}
			}
			all.add(syntax)
			for _, writer := range coreWriters(syntax) {
				relative, _ := filepath.Rel(module.Dir, name) // it is inside
				line := fset.PositionFor(writer.at, false).Line
				facts.CoreWriters = append(facts.CoreWriters,
					fmt.Sprintf("%s:%d: %s", filepath.ToSlash(relative), line, writer.what))
			}
			if m.options.target == string(api.SDK) {
				for _, e := range electionsOf(syntax) {
					m.note("%s", e.note(m.relative(name), fset.PositionFor(e.at, false).Line))
				}
			}
		}
	}
	facts.Records = all.records && program // a library has no RBAC of its own
	slices.Sort(facts.CoreWriters)
	facts.CoreWriters = slices.Compact(facts.CoreWriters)
	facts.FallsBack = all.adapter
	return facts, !program || all.makes || all.records && !all.bridges, nil
}

func inside(name, dir string) bool {
	relative, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(relative)
}

// uses says what the code of a module does with recorders.
type uses struct {
	records bool // calls a method that records, or makes a recorder
	makes   bool // makes a recorder of the new API
	bridges bool // wraps a recorder of the old API
	adapter bool // imports the SDK's adapter
}

// recordingNames are the methods that record, and those that make a recorder.
var recordingNames = []string{"Event", "Eventf", "AnnotatedEventf", "GetEventRecorder", "GetEventRecorderFor"}

// makers names what makes recorders of the new API, by import path. A manager's method does so, too.
var makers = map[string][]string{
	"k8s.io/client-go/tools/events": {
		"NewBroadcaster", "NewEventBroadcasterAdapter", "NewEventBroadcasterAdapterWithContext",
	},
	load.SDK + "/events":  {"NewBroadcaster"},
	load.SDK + "/adapter": {"New", "NewBroadcaster", "NewRecordBroadcaster", "RecorderFor", "ForManager"},
}

func (u *uses) add(file *ast.File) {
	imported := manifest.ImportedAs(file)
	for _, path := range imported {
		u.adapter = u.adapter || path == load.SDK+"/adapter"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		path := ""
		if x, ok := selector.X.(*ast.Ident); ok {
			path = imported[x.Name]
		}
		name := selector.Sel.Name
		u.records = u.records || slices.Contains(recordingNames, name)
		u.makes = u.makes || name == "GetEventRecorder" || slices.Contains(makers[path], name)
		u.bridges = u.bridges || path == load.SDK+"/legacy" && name == "FromLegacy"
		return true
	})
}

// coreWriter is a place in code that makes a writer of core/v1 Events.
type coreWriter struct {
	at   token.Pos
	what string
}

const leaderElection = "leader election"

// coreFunctions names what makes a writer of core/v1, by import path and name.
var coreFunctions = map[string]map[string]string{
	"k8s.io/client-go/tools/record": {
		"NewBroadcaster":                      "a broadcaster of tools/record",
		"NewBroadcasterWithCorrelatorOptions": "a broadcaster of tools/record",
	},
	"k8s.io/client-go/tools/leaderelection/resourcelock": {
		"New": leaderElection, "NewFromKubeconfig": leaderElection, "LeaseLock": leaderElection,
	},
	load.SDK + "/legacy": {"NewBroadcaster": "a broadcaster of legacy"},
}

// coreWriters returns what makes writers of core/v1 in a file. A lock with a recorder of the SDK is none.
func coreWriters(file *ast.File) []coreWriter {
	imported := manifest.ImportedAs(file)
	ownLock := setsLock(file) || bridgesLock(file)
	var writers []coreWriter
	ast.Inspect(file, func(n ast.Node) bool {
		if what := coreUse(n, imported); what != "" && !(ownLock && what == leaderElection) {
			writers = append(writers, coreWriter{n.Pos(), what})
		}
		return true
	})
	return writers
}

func coreUse(n ast.Node, imported map[string]string) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if n.Sel.Name == "GetEventRecorderFor" {
			return "a recorder of GetEventRecorderFor"
		}
		if x, ok := n.X.(*ast.Ident); ok {
			return coreFunctions[imported[x.Name]][n.Sel.Name]
		}
	case *ast.KeyValueExpr: // ctrl.Options{LeaderElection: true}
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == electionKey && !isFalse(n.Value) {
			return leaderElection
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			selector, ok := left.(*ast.SelectorExpr)
			if ok && selector.Sel.Name == electionKey && i < len(n.Rhs) && !isFalse(n.Rhs[i]) {
				return leaderElection
			}
		}
	}
	return ""
}

func isFalse(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "false"
}
