// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// floods reports whether a loop around a call gives the call another second object each time, and not another first one.
// Each of them would make an Event of its own about one object, which no note policy limits.
func (f *file) floods(second ast.Expr, c call) bool {
	return slices.ContainsFunc(f.around(c), func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return f.variesIn(second, n) && !f.variesIn(c.Args[0], n)
		}
		return false
	})
}

// variesIn reports whether an expression has a variable or a field that a loop declares or sets.
func (f *file) variesIn(e ast.Expr, loop ast.Node) (varies bool) {
	within := func(pos token.Pos) bool { return loop.Pos() <= pos && pos < loop.End() }
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !varies
		}
		if v, ok := f.TypesInfo.Uses[id].(*types.Var); ok {
			varies = varies || within(v.Pos())
			for _, value := range f.Data.Values(v) {
				varies = varies || value.Expr != nil && within(value.Expr.Pos())
			}
		}
		return !varies
	})
	return varies
}

// missing says in a reason or a note that an object is not there.
var missing = regexp.MustCompile(`(?i)missing|not ?found|no such|(not|n't) exist|(not|n't|unable to|failed to) find`)

// isAbsent reports whether an object is perhaps not there: a text of the call says so, or getting or creating the object
// has just failed.
func (f *file) isAbsent(object ast.Expr, c call) bool {
	for _, arg := range c.Args[slices.Index(c.Args, c.reason):] {
		for _, part := range f.parts(arg, c) {
			text := f.TypesInfo.Types[part].Value
			if text != nil && text.Kind() == constant.String && missing.MatchString(constant.StringVal(text)) {
				return true
			}
		}
	}
	for _, n := range f.around(c) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || c.Pos() < branch.Body.Pos() || branch.Body.End() < c.End() {
			continue
		}
		if failed := f.failed(branch); failed != nil && f.obtains(failed, object) {
			return true
		}
	}
	return false
}

// around are the nodes around a node, from the inside.
func (f *file) around(n ast.Node) []ast.Node {
	path, _ := astutil.PathEnclosingInterval(f.AST, n.Pos(), n.End())
	return path
}

// failed is the call of which a branch handles the error, or nil.
func (f *file) failed(branch *ast.IfStmt) (failed *ast.CallExpr) {
	if equal, ok := branch.Cond.(*ast.BinaryExpr); ok && equal.Op == token.EQL {
		return nil
	}
	ast.Inspect(branch.Cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.TypesInfo.Uses[id].(*types.Var)
		if !ok || !types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			return true
		}
		for _, value := range f.Data.Values(v) {
			made, ok := value.Expr.(*ast.CallExpr)
			if ok && made.Pos() < branch.Cond.Pos() && (failed == nil || failed.Pos() < made.Pos()) {
				failed = made
			}
		}
		return true
	})
	return failed
}

// obtains reports whether a call gets or creates an object: it is Get or Create, alone or with the kind, and takes the
// object or returns it.
func (f *file) obtains(made *ast.CallExpr, object ast.Expr) bool {
	callee := f.Callee(made)
	if callee == nil {
		return false
	}
	kind := ""
	if name := api.TypeName(f.TypesInfo.TypeOf(object)); name != nil {
		kind = name.Name()
	}
	if !slices.ContainsFunc([]string{"Get", "Create", "Get" + kind, "Create" + kind}, func(name string) bool {
		return strings.EqualFold(name, callee.Name())
	}) {
		return false
	}
	identity := f.identity(object)
	if slices.ContainsFunc(made.Args, func(arg ast.Expr) bool { return f.identity(arg) == identity }) {
		return true
	}
	id, ok := object.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	return ok && slices.ContainsFunc(f.Data.Values(v), func(value dataflow.Value) bool { return value.Expr == made })
}
