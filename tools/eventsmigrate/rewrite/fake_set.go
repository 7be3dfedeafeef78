// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// fakes are the FakeRecorders of a package. Whatever may hold the same one, from
// the expression that makes it to variables, fields and results, is one set, and
// becomes a Recorder of the test kit as a whole or stays as a whole.
type fakes struct {
	*pass
	makers   []*maker
	typed    []typed
	reads    []*read
	asserts  []token.Pos // of type assertions to *record.FakeRecorder
	parent   map[node]node
	objects  map[types.Object]bool // among the nodes
	handed   []node                // to an interface
	stays    map[node]reason       // by set, once it is judged
	doubts   []doubt
	literals map[*types.Var]bool   // parameters of function literals in variables
	joined   map[ast.Expr]bool     // channels that are read as a part of a loop
	names    map[ast.Node][]string // that edits declare, by block
	words    *vocabulary
}

// node is what holds a fake: a types.Object, or the expression that makes it.
type node any

// typed is the name of the fake's type where a node is declared.
type typed struct {
	file *file
	expr ast.Expr
	node node
}

// reason is why a set stays a channel of strings, or even the old recorder.
type reason struct {
	text string
	old  bool
}

type doubt struct {
	node node
	at   token.Pos
	why  reason
}

func newFakes(p *pass) *fakes {
	return &fakes{
		pass: p, parent: map[node]node{}, objects: map[types.Object]bool{}, stays: map[node]reason{},
		literals: map[*types.Var]bool{}, joined: map[ast.Expr]bool{}, names: map[ast.Node][]string{},
	}
}

func (a *fakes) find(n node) node {
	for a.parent[n] != nil && a.parent[n] != n {
		n = a.parent[n]
	}
	return n
}

// link says that a fake flows from one node to another. What is not known is nil.
func (a *fakes) link(to, from node, at token.Pos) {
	switch {
	case to != nil && from != nil:
		if x, y := a.find(to), a.find(from); x != y {
			a.parent[x] = y
		}
	case to != nil:
		a.doubt(to, at, "takes a fake that is made elsewhere")
	case from != nil:
		a.doubt(from, at, "hands the fake to what is not followed")
	}
}

func (a *fakes) doubt(n node, at token.Pos, what string) {
	if n != nil {
		a.doubts = append(a.doubts, doubt{node: n, at: at, why: reason{text: a.where(at) + " " + what}})
	}
}

// where is file:line, without the directory, which is the package's.
func (p *pass) where(at token.Pos) string {
	position := p.Fset.Position(at)
	return fmt.Sprintf("%s:%d", position.Filename[strings.LastIndexByte(position.Filename, '/')+1:], position.Line)
}

// judge decides which sets stay, and why.
func (a *fakes) judge() {
	if a.config.target() != SDK {
		for _, m := range a.makers {
			a.stays[a.find(m.expr)] = reason{}
		}
	}
	a.doubtNodes()
	for _, m := range a.makers {
		a.doubtMaker(m)
	}
	a.doubtReads()
	slices.SortStableFunc(a.doubts, func(x, y doubt) int { return cmp.Compare(x.at, y.at) })
	for _, d := range a.doubts {
		set := a.find(d.node)
		if found, ok := a.stays[set]; !ok || d.why.old && !found.old {
			a.stays[set] = d.why
		}
	}
}

// doubtNodes doubts what is declared where a test kit has no business.
func (a *fakes) doubtNodes() {
	made, exported := map[node]bool{}, a.exportedFields()
	for _, m := range a.makers {
		made[a.find(m.expr)] = true
	}
	for _, n := range a.handed {
		if len(a.asserts) > 0 {
			a.doubt(n, a.asserts[0], "asserts that a recorder is a FakeRecorder")
		}
	}
	for obj := range a.objects {
		switch {
		case !made[a.find(obj)]:
			a.doubt(obj, obj.Pos(), "declares a fake that nothing makes")
		case !a.isTest(obj.Pos()):
			a.doubt(obj, obj.Pos(), "is no test")
		case obj.Exported() && (obj.Parent() == a.Pkg.Scope() || exported[obj] || isMethod(obj)) &&
			!strings.HasSuffix(a.Pkg.Name(), "_test"):
			a.doubt(obj, obj.Pos(), "exports "+obj.Name()+", so that other packages may use it")
		}
	}
}

func isMethod(obj types.Object) bool {
	fn, ok := obj.(*types.Func)
	return ok && fn.Signature().Recv() != nil
}

// isTest says whether a position is in a test file that is rewritten.
func (p *pass) isTest(at token.Pos) bool {
	name := p.Fset.Position(at).Filename
	return strings.HasSuffix(name, "_test.go") && !p.config.frozen(name)
}

// exportedFields are the fields of the package's exported structs.
func (p *pass) exportedFields() map[types.Object]bool {
	fields := map[types.Object]bool{}
	for _, name := range p.Pkg.Scope().Names() {
		typ, ok := p.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !typ.Exported() {
			continue
		}
		if st, ok := typ.Type().Underlying().(*types.Struct); ok {
			for field := range st.Fields() {
				fields[field] = true
			}
		}
	}
	return fields
}

// isRead says whether a test reads what a fake has recorded. If none does, it does
// not matter whether it can tell the kind of a custom resource.
func (a *fakes) isRead(m *maker) bool {
	return slices.ContainsFunc(a.reads, func(r *read) bool { return a.find(r.node) == a.find(m.expr) })
}

// doubtMaker finds what a Recorder of the test kit needs where it is made.
func (a *fakes) doubtMaker(m *maker) {
	at := m.expr.Pos()
	if !a.isTest(at) {
		a.doubt(m.expr, at, "is no test")
		return
	}
	t := m.file.testing(m)
	if t == "" {
		a.doubt(m.expr, at, "has no *testing.T in scope")
		return
	}
	m.options = t
	scheme, ok := a.scheme(m)
	switch {
	case !ok && a.isRead(m):
		a.doubt(m.expr, at, "has no *runtime.Scheme in scope that knows the custom resources")
	case scheme != "":
		m.options += ", " + m.file.pkg(kitPath) + ".WithScheme(" + scheme + ")"
	}
}
