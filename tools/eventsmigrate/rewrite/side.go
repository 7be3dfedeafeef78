// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// side says on which side of the border a value or a variable stands once the
// edits are applied.
type side int

const (
	neither side = iota // nil, any, and whatever adapts itself
	oldSide
	newSide
)

func sideIf(migrated bool) side {
	if migrated {
		return newSide
	}
	return oldSide
}

// ofType decides by a named type alone: what a package declares is on that
// package's side. Client-go's own types are on the side of who uses them.
func (p *pass) ofType(t types.Type) (side, bool) {
	name := typeName(t)
	if name == nil || isOldRecorder(t) {
		return neither, false
	}
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		return neither, true
	}
	if len(methodsOfOldShape(t)) == 0 {
		return neither, false
	}
	return sideIf(p.migrated(name)), true
}

// ofExpr is the side of a value.
func (p *pass) ofExpr(e ast.Expr) side {
	e = ast.Unparen(e)
	if s, ok := p.decided[e]; ok {
		return s
	}
	if tv := p.TypesInfo.Types[e]; tv.IsNil() {
		return neither
	} else if p.staysOld(tv.Type) {
		return oldSide
	} else if s, ok := p.ofType(tv.Type); ok && !tv.IsType() {
		return s
	}
	switch e := e.(type) {
	case *ast.Ident:
		return p.ofObject(p.TypesInfo.ObjectOf(e))
	case *ast.SelectorExpr:
		return p.ofObject(p.TypesInfo.Uses[e.Sel])
	case *ast.IndexExpr:
		if p.TypesInfo.Types[e.X].IsValue() && !isGenericFunc(p.TypesInfo.TypeOf(e.X)) {
			return p.ofExpr(e.X)
		}
		return newSide
	case *ast.StarExpr:
		return p.ofExpr(e.X)
	case *ast.SliceExpr:
		return p.ofExpr(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW || e.Op == token.AND {
			return p.ofExpr(e.X)
		}
	case *ast.CallExpr:
		return p.ofCall(e)
	case *ast.CompositeLit:
		return p.ofLiteral(e)
	}
	return p.written(e) // function literals, type assertions
}

// written is the side of an expression whose type is written there.
func (p *pass) written(n ast.Node) side {
	return sideIf(!p.config.frozen(p.Fset.Position(n.Pos()).Filename))
}

// staysOld reports whether a type has no counterpart in the target.
func (p *pass) staysOld(t types.Type) bool {
	if !isOld(t) {
		return false
	}
	_, ok := p.config.becomes(typeName(t))
	return !ok
}

func isGenericFunc(t types.Type) bool {
	sig, ok := t.(*types.Signature)
	return ok && sig.TypeParams().Len() > 0
}

// ofLiteral is the side of a composite literal's elements: that of its type.
func (p *pass) ofLiteral(lit *ast.CompositeLit) side {
	if name := typeName(p.TypesInfo.TypeOf(lit)); name != nil && !isOldRecorder(p.TypesInfo.TypeOf(lit)) {
		return sideIf(p.migrated(name))
	}
	return p.written(lit)
}

// ofObject is the side of a variable, a field or a function's results.
func (p *pass) ofObject(obj types.Object) side {
	switch obj := obj.(type) {
	case nil, *types.Nil:
		return neither
	case *types.Var:
		if from, ok := p.origin[obj]; ok && p.migrated(obj) {
			return p.ofExpr(from)
		}
		if fn, ok := p.scope[obj]; ok && p.pinned[fn] {
			return oldSide
		}
		obj = obj.Origin()
		return sideIf(p.migrated(obj))
	case *types.Func:
		return sideIf(p.migrated(obj.Origin()) && !p.pinnedMethod(obj.Origin()))
	case *types.TypeName:
		return sideIf(p.migrated(obj) || isNamed(obj, recordPath, obj.Name()))
	}
	return newSide
}

// ofCall is the side of a call's results.
func (p *pass) ofCall(call *ast.CallExpr) side {
	if tv := p.TypesInfo.Types[call.Fun]; tv.IsType() {
		return p.written(call)
	} else if tv.IsBuiltin() {
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "append" && len(call.Args) > 0 {
			return p.ofExpr(call.Args[0])
		}
		return p.written(call)
	}
	fn, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	if !ok {
		return p.ofExpr(call.Fun)
	}
	if !p.ours(fn.Pkg()) && fn.Origin().Signature().TypeParams().Len() > 0 {
		return p.ofGeneric(call)
	}
	if isNamed(fn, recordPath, fn.Name()) {
		return p.ofRecord(call, fn)
	}
	return p.ofObject(fn)
}

// ofRecord is the side of what the old package returns: that of the receiver of its methods, as WithLogger and
// NewRecorder, and that of the new name of its functions.
func (p *pass) ofRecord(call *ast.CallExpr, fn *types.Func) side {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		return p.ofReceiver(sel)
	}
	if _, ok := p.config.becomes(fn); ok {
		return p.written(call)
	}
	return oldSide
}

// ofGeneric is the side of what another module's generic function returns: that
// of what it is given.
func (p *pass) ofGeneric(call *ast.CallExpr) side {
	for _, arg := range call.Args {
		if mentionsOld(p.TypesInfo.TypeOf(arg)) {
			return p.ofExpr(arg)
		}
	}
	return newSide
}

// ofReceiver is the side of what a method is selected from; a promoted method's
// receiver is the embedded field.
func (p *pass) ofReceiver(sel *ast.SelectorExpr) side {
	selection := p.TypesInfo.Selections[sel]
	if selection == nil {
		return neither
	}
	if embedded := embeddedFields(selection); len(embedded) > 0 {
		return p.ofObject(embedded[len(embedded)-1])
	}
	return p.ofExpr(sel.X)
}

// embeddedFields are the fields through which a selection finds its method.
func embeddedFields(selection *types.Selection) (fields []*types.Var) {
	t := selection.Recv()
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return fields
		}
		fields = append(fields, st.Field(i))
		t = st.Field(i).Type()
	}
	return fields
}
