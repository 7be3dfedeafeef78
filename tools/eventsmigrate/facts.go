// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
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

// facts say which programs record Events through events.k8s.io after the edits. They look at names, not at types, and
// at what the main function of a program may reach.
type facts struct {
	programs  []string // the directories of main packages that record, sorted
	reads     []string // the files of programs that read Events, sorted
	noProgram bool     // there is no main package at all
	reached   map[string]bool
	others    map[string]bool // directories that only programs that do not record reach
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

	declarations declarations
}

// programsOf follows the imports of each main package, or of every package if none is main.
func programsOf(nodes map[string]*node) *facts {
	found := &facts{reached: map[string]bool{}, others: map[string]bool{}}
	found.noProgram = !slices.ContainsFunc(slices.Collect(maps.Values(nodes)), func(n *node) bool { return n.main })
	for path, n := range nodes {
		if !n.main && !found.noProgram {
			continue
		}
		paths, dirs, all := map[string]bool{}, map[string]bool{}, uses{}
		follow(nodes, path, paths)
		for imported := range paths {
			dirs[nodes[imported].dir] = true
			all.add(nodes[imported].uses)
		}
		if n.main {
			all = reach(nodes, path, paths)
		}
		found.reads = append(found.reads, all.reads...)
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
	slices.Sort(found.reads)
	found.reads = slices.Compact(found.reads)
	return found
}

// follow adds a package and those that it imports.
func follow(nodes map[string]*node, path string, paths map[string]bool) {
	n := nodes[path]
	if n == nil || paths[path] {
		return
	}
	paths[path] = true
	for _, imported := range n.imports {
		follow(nodes, imported, paths)
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
				n = &node{dir: filepath.Dir(pkg.GoFiles[0]), main: pkg.Name == "main", declarations: declarations{}}
				nodes[pkg.PkgPath] = n
			}
			names := map[string]string{}
			for path, imported := range pkg.Imports {
				n.imports = append(n.imports, imported.PkgPath)
				names[path] = imported.Name
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
				imports := importsOf(file, names)
				for _, path := range imports {
					n.uses.add(uses{sdk: strings.HasPrefix(path, load.SDK+"/"), clientGo: path == api.ClientEvents})
				}
				n.uses.add(n.declarations.add(pkg.PkgPath, name, file, imports, generated))
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

	reads []string // the files that read Events
}

func (u *uses) add(other uses) {
	u.records = u.records || other.records
	u.makes = u.makes || other.makes
	u.bridges = u.bridges || other.bridges
	u.sdk = u.sdk || other.sdk
	u.clientGo = u.clientGo || other.clientGo
	u.reads = append(u.reads, other.reads...)
}

// recordingNames are the methods that record, and those that make a recorder, with how many arguments they have at
// least.
var recordingNames = map[string]int{
	string(api.Event):           4,
	string(api.Eventf):          4,
	string(api.AnnotatedEventf): 5,
	api.EventsMethod:            1,
	api.ManagerMethod:           1,
}

// readingNames are methods of what clients and factories of informers have for Events.
var readingNames = []string{"Get", "List", "Watch", "Informer", "Lister"}

// eventAPIs are the packages with lists of Events.
var eventAPIs = []string{"k8s.io/api/core/v1", "k8s.io/api/events/v1"}

// makers names what makes recorders of the new API, by import path. A manager's method does so, too.
var makers = map[string][]string{
	api.ClientEvents: api.EventsMakers,
	api.OurEvents:    api.EventsMakers,
	api.Events:       {api.NewBroadcaster},
	api.RecordEvents: {api.NewBroadcaster},
	api.Adapter:      {"New", "NewForConfig", "RecorderFor", "ForManager"},
}

// importsOf returns what a file imports, by the names that the file has for it. The names of packages are given by
// path; that of another is the last element of its path.
func importsOf(file *ast.File, names map[string]string) map[string]string {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
		name := cmp.Or(names[path], path[strings.LastIndexByte(path, '/')+1:])
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = path
	}
	return imported
}

// usesOf returns what a node of a file does, by the names of methods and the numbers of their arguments.
func usesOf(name string, node ast.Node, imported map[string]string) (found uses) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if ok && n.Sel.Name == "EventList" && slices.Contains(eventAPIs, imported[x.Name]) {
				found.reads = []string{name}
			}
		case *ast.CallExpr:
			selector, ok := n.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			path := ""
			if x, ok := selector.X.(*ast.Ident); ok {
				path = imported[x.Name]
			}
			called := selector.Sel.Name
			least, records := recordingNames[called]
			found.add(uses{
				records: records && len(n.Args) >= least,
				makes:   path == "" && called == api.EventsMethod || slices.Contains(makers[path], called),
				bridges: path == api.Legacy && called == "FromLegacy",
			})
			if slices.Contains(readingNames, called) && calls(selector.X, "Events") {
				found.reads = []string{name}
			}
		}
		return true
	})
	return found
}

// calls reports whether an expression is a call of a method of that name.
func calls(expr ast.Expr, method string) bool {
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == method
}
