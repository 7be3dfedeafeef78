// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// testing is an expression for the testing.TB of the test in which a fake is
// made, or "".
func (f *file) testing(m *maker) string {
	for i := len(m.stack) - 1; i >= 0; i-- {
		switch fn := m.stack[i].(type) {
		case *ast.FuncLit:
			if t := f.testingParam(fn.Type.Params, m.expr.Pos()); t != "" {
				return t
			}
			call, ok := m.stack[i-1].(*ast.CallExpr)
			if !ok {
				continue
			}
			if spec, ok := f.ginkgo(call); ok {
				return spec
			}
		case *ast.FuncDecl:
			if t := f.testingParam(fn.Type.Params, m.expr.Pos()); t != "" {
				return t
			}
			return f.suite(fn, m.expr.Pos())
		}
	}
	return ""
}

func (f *file) testingParam(params *ast.FieldList, at token.Pos) string {
	for _, field := range params.List {
		if !isTesting(f.TypesInfo.TypeOf(field.Type)) {
			continue
		}
		for _, name := range field.Names {
			if f.means(f.TypesInfo.Defs[name], at) {
				return name.Name
			}
		}
	}
	return ""
}

func isTesting(t types.Type) bool { return isType(t, "testing", "T", "B", "F", "TB") }

// isType says whether a type is a package's, or a pointer to it.
func isType(t types.Type, path string, names ...string) bool {
	name := typeName(t)
	return name != nil && isNamed(name, path, names...)
}

// means says whether an object's name means it at a position.
func (p *pass) means(obj types.Object, at token.Pos) bool {
	if obj == nil || obj.Name() == "_" {
		return false
	}
	scope := p.Pkg.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, found := scope.LookupParent(obj.Name(), at)
	return found == obj
}

// suite is the T method of a testify suite.
func (f *file) suite(fn *ast.FuncDecl, at token.Pos) string {
	if fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
		return ""
	}
	recv := f.TypesInfo.Defs[fn.Recv.List[0].Names[0]]
	if !f.means(recv, at) {
		return ""
	}
	obj, _, _ := types.LookupFieldOrMethod(recv.Type(), true, f.Pkg, "T")
	method, ok := obj.(*types.Func)
	if !ok || method.Signature().Params().Len() > 0 || method.Signature().Results().Len() != 1 ||
		!isTesting(method.Signature().Results().At(0).Type()) {
		return ""
	}
	return recv.Name() + ".T()"
}

// ginkgoNodes are what runs while specs run; the others build their tree.
var ginkgoNodes = []string{"It", "Specify", "BeforeEach", "JustBeforeEach", "DescribeTable", "By"}

// ginkgo is GinkgoTB(), if a call is one of Ginkgo's and what it is given runs
// as a part of a spec.
func (f *file) ginkgo(call *ast.CallExpr) (string, bool) {
	fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), "github.com/onsi/ginkgo") {
		return f.ginkgoVar(call)
	}
	return f.ginkgoTB(call, fn.Name(), fn.Pkg())
}

// ginkgoVar is ginkgo for the nodes that Ginkgo declares as variables, as
// Describe, FIt and Specify.
func (f *file) ginkgoVar(call *ast.CallExpr) (string, bool) {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return "", false
	}
	v, ok := f.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || !strings.HasPrefix(v.Pkg().Path(), "github.com/onsi/ginkgo") {
		return "", false
	}
	return f.ginkgoTB(call, v.Name(), v.Pkg())
}

func (f *file) ginkgoTB(call *ast.CallExpr, name string, pkg *types.Package) (string, bool) {
	runs := slices.Contains(ginkgoNodes, strings.TrimLeft(name, "FPX"))
	if !runs || pkg.Scope().Lookup("GinkgoTB") == nil {
		return "", true
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return f.text(sel.X) + ".GinkgoTB()", true
	}
	return "GinkgoTB()", true
}

// scheme is an expression for the scheme that a Recorder needs; "" if client-go's
// own will do, false if it will not and none is in sight.
func (a *fakes) scheme(m *maker) (string, bool) {
	if !a.customResources() {
		return "", true
	}
	f := m.file
	best, distance := ast.Expr(nil), token.Pos(0)
	ast.Inspect(outermost(m.stack), func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || !f.TypesInfo.Types[e].IsValue() || !isScheme(f.TypesInfo.TypeOf(e)) || !f.reachable(e, m.expr.Pos()) {
			return true
		}
		d := m.expr.Pos() - e.Pos()
		if d < 0 {
			d = token.Pos(len(f.text(f.ast))) - d // what follows is second choice
		}
		if best == nil || d < distance {
			best, distance = e, d
		}
		return true
	})
	if best != nil {
		return f.schemeText(best), true
	}
	return a.packageScheme()
}

func isScheme(t types.Type) bool { return isType(t, runtimePath, "Scheme") }

// schemeText leaves out client-go's scheme, which is the default.
func (f *file) schemeText(e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok && isNamed(f.TypesInfo.Uses[sel.Sel], clientScheme, "Scheme") {
		return ""
	}
	return f.text(e)
}

const clientScheme = "k8s.io/client-go/kubernetes/scheme"

func outermost(stack []ast.Node) ast.Node {
	for _, n := range stack {
		if _, ok := n.(*ast.File); !ok {
			return n
		}
	}
	return nil
}

// reachable says whether an expression has no effect and means the same at
// another position.
func (f *file) reachable(e ast.Expr, at token.Pos) bool {
	switch e := e.(type) {
	case *ast.Ident:
		obj := f.TypesInfo.Uses[e]
		return f.means(obj, at)
	case *ast.SelectorExpr:
		return f.reachable(e.X, at)
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return ok && len(e.Args) == 0 && (sel.Sel.Name == "Scheme" || sel.Sel.Name == "GetScheme") && f.reachable(sel.X, at)
	}
	return false
}

// packageScheme is client-go's scheme, "", if the package adds types to it, as
// suites do, and else the one scheme that the package has in a variable.
func (a *fakes) packageScheme() (string, bool) {
	found := ""
	for id, obj := range a.TypesInfo.Uses {
		if isNamed(obj, clientScheme, "Scheme") && a.addsTo(id) {
			return "", true
		}
	}
	for _, name := range a.Pkg.Scope().Names() {
		if v, ok := a.Pkg.Scope().Lookup(name).(*types.Var); ok && isScheme(v.Type()) {
			if found != "" {
				return "", false
			}
			found = name
		}
	}
	return found, found != ""
}

// addsTo says whether a name is what an AddToScheme is called with.
func (a *fakes) addsTo(scheme *ast.Ident) bool {
	found := false
	for _, f := range a.Files {
		if f.FileStart > scheme.Pos() || scheme.Pos() >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && len(call.Args) == 1 && call.Args[0].Pos() <= scheme.Pos() && scheme.End() <= call.Args[0].End() {
				sel, isSel := call.Fun.(*ast.SelectorExpr)
				id, isIdent := call.Fun.(*ast.Ident)
				found = found || isSel && sel.Sel.Name == "AddToScheme" || isIdent && id.Name == "AddToScheme"
			}
			return !found
		})
	}
	return found
}

// customResources says whether the package has to do with objects whose kind
// client-go's scheme does not know.
func (p *pass) customResources() bool {
	for _, obj := range p.TypesInfo.Uses {
		typ, ok := obj.(*types.TypeName)
		if !ok || typ.Pkg() == nil || types.IsInterface(typ.Type()) {
			continue
		}
		path := typ.Pkg().Path()
		if !strings.HasPrefix(path, "k8s.io/api/") && !strings.HasPrefix(path, "k8s.io/apimachinery/") &&
			hasMethods(types.NewPointer(typ.Type()), "DeepCopyObject", "GetObjectKind") {
			return true
		}
	}
	return false
}
