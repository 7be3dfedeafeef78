// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// setsNewObject reports whether use sets a variable to a literal of an object.
func (l *lint) setsNewObject(use inspector.Cursor) bool {
	kind, i := use.ParentEdge()
	var values []ast.Expr
	switch parent := use.Parent().Node().(type) {
	case *ast.AssignStmt:
		values = parent.Rhs
	case *ast.ValueSpec:
		values = parent.Values
	}
	return (kind == edge.AssignStmt_Lhs || kind == edge.ValueSpec_Names) && i < len(values) && l.isNewObject(values[i])
}

// isNewObject reports whether an expression is a literal of an object that sets
// no UID.
func (l *lint) isNewObject(expr ast.Expr) bool {
	if address, ok := expr.(*ast.UnaryExpr); ok {
		expr = address.X
	}
	literal, ok := expr.(*ast.CompositeLit)
	if !ok {
		return false
	}
	accessor, _, _ := types.LookupFieldOrMethod(l.info.TypeOf(literal), true, l.pkg, "GetUID")
	fresh := accessor != nil && accessor.Pkg() != nil && accessor.Pkg().Path() == metav1
	ast.Inspect(literal, func(n ast.Node) bool {
		if field, ok := n.(*ast.KeyValueExpr); ok {
			key, _ := field.Key.(*ast.Ident)
			_, isLiteral := field.Value.(*ast.CompositeLit)
			if key != nil && (key.Name == "UID" || key.Name == "ObjectMeta" && !isLiteral) {
				fresh = false
			}
		}
		return fresh
	})
	return fresh
}

// runsOnce reports whether the second place runs at most once after the first,
// and not later in a closure, a defer or a goroutine.
func runsOnce(first, second inspector.Cursor) bool {
	var block inspector.Cursor
	for cur := range first.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil)) {
		block = cur
		break
	}
	for cur := range second.Enclosing() {
		if cur == block {
			return true
		}
		switch cur.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		}
	}
	return false
}

// keepsUncreated reports whether an object certainly has no UID at the recording
// in spite of a use before it.
func (l *lint) keepsUncreated(use inspector.Cursor, r *recording) bool {
	if address, ok := use.Parent().Node().(*ast.UnaryExpr); ok && address.Op == token.AND {
		use = use.Parent()
	}
	switch parent := use.Parent().Node().(type) {
	case *ast.SelectorExpr:
		return l.readsOrSets(parent)
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		return l.setsNoUID(parent) || failed(use.Parent(), r.cursor)
	}
	return false
}

// readsOrSets reports whether a field or method does not set the UID.
func (l *lint) readsOrSets(expr *ast.SelectorExpr) bool {
	name := expr.Sel.Name
	if slices.Contains([]string{"UID", "SetUID", "ObjectMeta"}, name) {
		return false
	}
	selection := l.info.Selections[expr]
	return selection != nil && (selection.Kind() == types.FieldVal ||
		strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "Set") || strings.HasPrefix(name, "DeepCopy"))
}

// onlyRead are functions that take an object and do not create it.
var onlyRead = []string{
	"SetControllerReference", "SetOwnerReference", "KObj", "ObjectKeyFromObject", "AddFinalizer",
}

// setsNoUID reports whether a call sets no UID in the object that it takes. Create
// of a typed client, which has two results, returns another object with the UID.
func (l *lint) setsNoUID(call *ast.CallExpr) bool {
	for _, r := range l.recordings {
		if r.call == call {
			return true
		}
	}
	fn := l.callee(call)
	return fn != nil && (slices.Contains(onlyRead, fn.Name()) ||
		fn.Name() == "Create" && fn.Signature().Results().Len() == 2)
}

// failed reports whether a place runs only if a call of Create before it returned
// an error, as in the body of if err != nil.
func failed(call, place inspector.Cursor) bool {
	method, ok := call.Node().(*ast.CallExpr).Fun.(*ast.SelectorExpr)
	if !ok || method.Sel.Name != "Create" {
		return false
	}
	assign, ok := call.Parent().Node().(*ast.AssignStmt)
	if !ok {
		return false
	}
	check := call.Parent().Parent()
	if call.Parent().ParentEdgeKind() != edge.IfStmt_Init {
		check, ok = call.Parent().NextSibling()
	}
	if !ok {
		return false
	}
	branch, ok := check.Node().(*ast.IfStmt)
	return ok && isError(branch.Cond, assign.Lhs[len(assign.Lhs)-1]) && place.Node().End() <= branch.Body.End()
}

// isError reports whether a condition implies err != nil.
func isError(cond, err ast.Expr) bool {
	binary, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if binary.Op == token.LAND {
		return isError(binary.X, err) || isError(binary.Y, err)
	}
	left, isIdent := binary.X.(*ast.Ident)
	name, _ := err.(*ast.Ident)
	null, _ := binary.Y.(*ast.Ident)
	return binary.Op == token.NEQ && isIdent && name != nil && left.Name == name.Name && null != nil && null.Name == "nil"
}
