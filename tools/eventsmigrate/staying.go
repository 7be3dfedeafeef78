// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
)

// staying reports the recorders of other modules that are behind legacy.FromLegacy, or get there by an edit. The code
// around them is new, and their Events still go through core/v1.
func (m *migration) staying(outcome *verify.Outcome) {
	bridged := map[token.Position]bool{}
	for _, finding := range outcome.Findings {
		for _, edit := range finding.Edits {
			if strings.HasSuffix(edit.Text, "legacy.FromLegacy(") {
				bridged[token.Position{Filename: edit.File, Offset: edit.Start}] = true
			}
		}
	}
	for _, program := range m.programs {
		for _, pkg := range program.Selected {
			for _, file := range pkg.Syntax {
				m.stayingIn(pkg, file, bridged)
			}
		}
	}
}

func (m *migration) stayingIn(pkg *packages.Package, file *ast.File, bridged map[token.Position]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		recorder, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		at := pkg.Fset.PositionFor(recorder.Pos(), false)
		if strings.HasSuffix(at.Filename, "_test.go") {
			return false
		}
		if call, ok := recorder.(*ast.CallExpr); ok && isFromLegacy(pkg.TypesInfo, call) {
			recorder = call.Args[0]
		} else if !bridged[token.Position{Filename: at.Filename, Offset: at.Offset}] {
			return true
		}
		if maker := m.maker(pkg, file, recorder); maker != "" {
			m.place(report.Place{
				Rule: "old", Status: report.Human, File: at.Filename, Line: at.Line, Column: at.Column,
				Message: fmt.Sprintf("still records through core/v1: %s must move first", maker),
			})
		}
		return false
	})
}

func isFromLegacy(info *types.Info, call *ast.CallExpr) bool {
	fn := typeutil.Callee(info, call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == load.SDK+"/legacy" && fn.Name() == "FromLegacy"
}

// maker is the package of another module that has the type of a recorder, or makes it, or holds it. It is "" if that is not
// known: then the recorder comes from the main modules, and what keeps it old is reported there.
func (m *migration) maker(pkg *packages.Package, file *ast.File, recorder ast.Expr) string {
	var of []types.Object
	t := types.Unalias(pkg.TypesInfo.TypeOf(recorder))
	if pointer, ok := t.(*types.Pointer); ok {
		t = types.Unalias(pointer.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		of = append(of, named.Obj())
	}
	switch e := ast.Unparen(recorder).(type) {
	case *ast.CallExpr:
		of = append(of, typeutil.Callee(pkg.TypesInfo, e))
	case *ast.SelectorExpr:
		of = append(of, pkg.TypesInfo.Uses[e.Sel])
	case *ast.Ident:
		of = append(of, madeBy(pkg.TypesInfo, file, pkg.TypesInfo.Uses[e]))
	}
	for _, object := range of {
		if object != nil && object.Pkg() != nil && m.foreign(object.Pkg().Path()) {
			return object.Pkg().Path()
		}
	}
	return ""
}

// madeBy is the function whose result a variable of the file is set to, or nil.
func madeBy(info *types.Info, file *ast.File, variable types.Object) (fn types.Object) {
	ast.Inspect(file, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for i, left := range assign.Lhs {
				id, ok := left.(*ast.Ident)
				if !ok || info.ObjectOf(id) != variable {
					continue
				}
				if call, ok := assign.Rhs[min(i, len(assign.Rhs)-1)].(*ast.CallExpr); ok {
					fn = typeutil.Callee(info, call)
				}
			}
		}
		return fn == nil
	})
	return fn
}

// foreign reports whether a package is neither of the main modules nor of client-go, whose interfaces anything may be
// behind.
func (m *migration) foreign(path string) bool {
	return !strings.HasPrefix(path, "k8s.io/client-go/tools/") &&
		!slices.ContainsFunc(m.project.Modules, func(module load.Module) bool {
			return path == module.Path || strings.HasPrefix(path, module.Path+"/")
		})
}
