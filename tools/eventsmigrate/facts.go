// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// facts say which programs record Events through events.k8s.io after the edits. They look at names, not at types.
type facts struct {
	programs  []string // the directories of main packages that record, sorted
	noProgram bool     // there is no main package at all
	reached   map[string]bool
	others    map[string]bool // directories that only programs that do not record reach
}

// records reports whether the code of a file may be part of a program that records.
func (f *facts) records(file string) bool {
	dir := filepath.Dir(file)
	return f.reached[dir] || len(f.reached) > 0 && !f.others[dir]
}

// mayRecord reports whether a recorder of the new API may reach the code of a file: not if it is only in programs that
// have none.
func (f *facts) mayRecord(file string) bool {
	dir := filepath.Dir(file)
	return f.reached[dir] || !f.others[dir]
}

// node is a package of the main modules in any of the builds.
type node struct {
	dir     string
	main    bool
	uses    uses
	imports []string
}

// programsOf follows the imports of each main package, or of every package if none is main.
func programsOf(nodes map[string]*node) *facts {
	found := &facts{reached: map[string]bool{}, others: map[string]bool{}}
	found.noProgram = !slices.ContainsFunc(slices.Collect(maps.Values(nodes)), func(n *node) bool { return n.main })
	for path, n := range nodes {
		if !n.main && !found.noProgram {
			continue
		}
		dirs, all := map[string]bool{}, uses{}
		follow(nodes, path, dirs, &all)
		if !all.makes && (!all.records || all.bridges) {
			maps.Copy(found.others, dirs)
			continue
		}
		maps.Copy(found.reached, dirs)
		if n.main {
			found.programs = append(found.programs, n.dir)
		}
	}
	slices.Sort(found.programs)
	return found
}

func follow(nodes map[string]*node, path string, dirs map[string]bool, all *uses) {
	n := nodes[path]
	if n == nil || dirs[n.dir] {
		return
	}
	dirs[n.dir] = true
	all.add(n.uses)
	for _, imported := range n.imports {
		follow(nodes, imported, dirs, all)
	}
}

// nodes returns the packages by their paths, without tests, as they are after the edits.
func (m *migration) nodes() (map[string]*node, error) {
	nodes := map[string]*node{}
	for _, build := range m.programs {
		for _, pkg := range build.Nodes {
			if pkg.ID != pkg.PkgPath || len(pkg.GoFiles) == 0 {
				continue
			}
			n := nodes[pkg.PkgPath]
			if n == nil {
				n = &node{dir: filepath.Dir(pkg.GoFiles[0]), main: pkg.Name == "main"}
				nodes[pkg.PkgPath] = n
			}
			for _, imported := range pkg.Imports {
				n.imports = append(n.imports, imported.PkgPath)
			}
			for _, file := range pkg.Syntax {
				name, generated := build.Filename(file), ast.IsGenerated(file)
				if edited := m.edited(name); edited != nil {
					var err error
					file, err = parser.ParseFile(token.NewFileSet(), name, edited.After, parser.SkipObjectResolution)
					if err != nil {
						return nil, err
					}
				}
				found := usesOf(file)
				found.makes = found.makes && !generated // its generator will make the old one again
				n.uses.add(found)
			}
		}
	}
	return nodes, nil
}

// uses says what code does with recorders.
type uses struct {
	records bool // calls a method that records, or makes a recorder
	makes   bool // makes a recorder of the new API
	bridges bool // wraps a recorder of the old API

	sdk, clientGo bool // imports the SDK, or tools/events of client-go
}

func (u *uses) add(other uses) {
	u.records = u.records || other.records
	u.makes = u.makes || other.makes
	u.bridges = u.bridges || other.bridges
	u.sdk = u.sdk || other.sdk
	u.clientGo = u.clientGo || other.clientGo
}

// recordingNames are the methods that record, and those that make a recorder.
var recordingNames = []string{"Event", "Eventf", "AnnotatedEventf", "GetEventRecorder", "GetEventRecorderFor"}

// makers names what makes recorders of the new API, by import path. A manager's method does so, too.
var makers = map[string][]string{
	api.ClientEvents: {"NewBroadcaster", "NewEventBroadcasterAdapter", "NewEventBroadcasterAdapterWithContext"},
	api.Events:       {"NewBroadcaster"},
	api.OurEvents:    {"NewBroadcaster", "NewEventBroadcasterAdapter", "NewEventBroadcasterAdapterWithContext"},
	api.Adapter:      {"New", "NewForConfig", "RecorderFor", "ForManager"},
	api.RecordEvents: {"NewBroadcaster"},
}

func usesOf(file *ast.File) (found uses) {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = path
		found.sdk = found.sdk || strings.HasPrefix(path, load.SDK+"/")
		found.clientGo = found.clientGo || path == api.ClientEvents
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
		found.add(uses{
			records: slices.Contains(recordingNames, name),
			makes:   path == "" && name == "GetEventRecorder" || slices.Contains(makers[path], name),
			bridges: path == api.Legacy && name == "FromLegacy",
		})
		return true
	})
	return found
}
