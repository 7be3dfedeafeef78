// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"go/ast"
	"go/types"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

// oldCalls counts the calls of the old shape in a module, by types and not by what the tool says of itself.
func oldCalls(t *testing.T, dir string) int {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir, Tests: true, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="),
		Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
			packages.NeedExportFile,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{} // a file is in the variants of its package
	for _, pkg := range pkgs {
		for _, err := range pkg.Errors {
			t.Error(err)
		}
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				ast.Inspect(decl, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok && isOld(pkg.TypesInfo, call) && !ofItself(pkg.TypesInfo, decl, call) {
						places[pkg.Fset.Position(call.Lparen).String()] = true
					}
					return true
				})
			}
		}
	}
	return len(places)
}

// recording are the methods of a recorder.
var recording = []string{"Event", "Eventf", "AnnotatedEventf"}

// ofItself says whether a recorder calls a method of its own in one of its methods: that is how it is made.
func ofItself(info *types.Info, decl ast.Decl, call *ast.CallExpr) bool {
	method, ok := decl.(*ast.FuncDecl)
	if !ok || method.Recv == nil || !slices.Contains(recording, method.Name.Name) {
		return false
	}
	callee, ok := ast.Unparen(call.Fun.(*ast.SelectorExpr).X).(*ast.Ident)
	names := method.Recv.List[0].Names
	return ok && len(names) == 1 && info.Uses[callee] == info.Defs[names[0]]
}

// isOld says whether a call records in the old shape: object, type, reason, message.
func isOld(info *types.Info, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(recording, selector.Sel.Name) {
		return false
	}
	method, ok := info.Uses[selector.Sel].(*types.Func)
	if !ok {
		return false
	}
	signature := method.Signature()
	if signature.Recv() == nil || signature.Params().Len() < 4 {
		return false
	}
	second := signature.Params().At(1).Type().String()
	return second == "string" || second == "map[string]string"
}
