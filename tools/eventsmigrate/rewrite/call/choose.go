// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// recording is a call that records, or one of a helper, which records what the call passes.
type recording struct {
	*ast.CallExpr
	function *ast.FuncDecl // around it, or nil
	object   ast.Expr      // the regarding one, or nil if the helper knows it
	kind     string        // of the object, "" if it is not known
	reason   ast.Expr
	note     ast.Expr // or nil
}

// Choose chooses the actions of all calls of the package. Those that are about one attempt get one.
func (p *Package) Choose(files []*plan.File) {
	var calls []*ast.CallExpr
	var known []actions.Call
	for _, of := range files {
		if of.Frozen {
			continue
		}
		f := &file{of, p}
		for _, function := range f.functions() {
			for _, c := range function {
				calls = append(calls, c.CallExpr)
				known = append(known, f.known(c, function))
			}
		}
	}
	for i, choice := range actions.Choose(known) {
		p.choices[calls[i]] = choice
	}
}

// functions are the calls of the functions of a file. Those outside of a declared function are alone.
func (f *file) functions() (functions [][]recording) {
	at := map[*ast.FuncDecl]int{}
	f.Calls(func(expr *ast.CallExpr, around *ast.FuncDecl) {
		r, ok := f.recording(expr, around)
		if !ok {
			return
		}
		if _, seen := at[around]; !seen || around == nil {
			at[around] = len(functions)
			functions = append(functions, nil)
		}
		functions[at[around]] = append(functions[at[around]], r)
	})
	return functions
}

// recording returns a call that gets an action, and false for any other call.
func (f *file) recording(expr *ast.CallExpr, around *ast.FuncDecl) (recording, bool) {
	if c, ok := f.oldCall(expr, around); ok {
		return c.recording, c.note != nil
	}
	h := f.helperOf(expr)
	if h == nil {
		return recording{}, false
	}
	r := recording{
		CallExpr: expr,
		function: around,
		kind:     h.kind,
		reason:   expr.Args[h.reason],
	}
	if h.object >= 0 && h.object < len(expr.Args) {
		r.object = expr.Args[h.object]
		r.kind = f.kind(r.object)
	}
	if h.note >= 0 && h.note < len(expr.Args) {
		r.note = expr.Args[h.note]
	}
	return r, true
}

// kind is the name of the type of an object, or "".
func (f *file) kind(object ast.Expr) string {
	if name := api.TypeName(f.TypesInfo.TypeOf(object)); name != nil {
		return name.Name()
	}
	return ""
}

// known is what tells the action of a call, of which the others in its function are a part.
func (f *file) known(r recording, function []recording) actions.Call {
	known := actions.Call{
		Reason:    f.reasonText(r.reason),
		Regarding: r.kind,
		In:        int(r.Pos()),
		Branch:    f.branch(r, function),
		Log:       f.logged(r, function),
	}
	if r.note != nil {
		known.Note = f.Data.TextOf(r.note).Format()
	}
	if r.function != nil {
		known.In = int(r.function.Pos())
		known.Function = r.function.Name.Name
		known.Receiver = f.receiver(r.function)
	}
	known.Failed, known.Object = f.failedCall(r)
	return known
}

// branch is the place of the if in whose branches a call tells how an attempt ended, or 0. Behind an if that has another
// call of the function and returns, a call is in its other branch.
func (f *file) branch(c recording, function []recording) int {
	path := f.around(c)
	for i, n := range path[1:] {
		var statements []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return 0
		case *ast.IfStmt:
			if outer, ok := path[i+2].(*ast.IfStmt); ok && outer.Else == n {
				continue
			}
			return int(n.Pos())
		case *ast.BlockStmt:
			statements = n.List
		case *ast.CaseClause:
			statements = n.Body
		}
		for _, statement := range slices.Backward(statements) {
			if statement.Pos() < c.Pos() && returns(statement) && slices.ContainsFunc(function, within(statement)) {
				return int(statement.Pos())
			}
		}
	}
	return 0
}

// returns reports whether a statement is an if that ends with a return, or goes on elsewhere in another way.
func returns(statement ast.Stmt) bool {
	branch, ok := statement.(*ast.IfStmt)
	if !ok || len(branch.Body.List) == 0 {
		return false
	}
	switch branch.Body.List[len(branch.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// within reports whether calls stand in a statement.
func within(statement ast.Stmt) func(recording) bool {
	return func(c recording) bool { return statement.Pos() <= c.Pos() && c.End() <= statement.End() }
}
