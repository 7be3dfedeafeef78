// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// broadcasterPackages have functions that return broadcasters.
var broadcasterPackages = []string{
	api.Events, api.Adapter, api.Clusters, api.Legacy, api.OurEvents, api.OurRecord, api.RecordEvents,
	api.ClientEvents, api.Record,
}

func (l *lint) drain() {
	for _, call := range l.Calls {
		if !l.makesBroadcaster(call.CallExpr) || l.endsWithContext(call.CallExpr) {
			continue
		}
		site, _ := l.inspector().Root().FindNode(call.CallExpr)
		if name, ends := l.drained(site); !ends {
			l.reportf(call, "nothing drains this broadcaster, so that pending occurrences are lost when the process ends: "+
				"call %s.Shutdown() when the component ends, or return it to who can", name)
		}
	}
}

// makesBroadcaster reports whether a call returns a broadcaster that has to be shut
// down.
func (l *lint) makesBroadcaster(call *ast.CallExpr) bool {
	fn := l.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil || !strings.HasPrefix(fn.Name(), "New") ||
		!slices.Contains(broadcasterPackages, fn.Pkg().Path()) {
		return false
	}
	method, _, _ := types.LookupFieldOrMethod(l.TypesInfo.TypeOf(call), true, l.Pkg, "Shutdown")
	return method != nil
}

func (l *lint) endsWithContext(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		option, ok := ast.Unparen(arg).(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := l.Callee(option)
		return fn != nil && fn.Name() == "WithContext" && len(option.Args) == 1 && !l.lastsForever(option.Args[0])
	})
}

// lastsForever reports whether a context never ends: it is context.Background or context.TODO.
func (l *lint) lastsForever(ctx ast.Expr) bool {
	made, ok := l.Resolve(ctx).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := l.Callee(made)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "context" && slices.Contains([]string{"Background", "TODO"}, fn.Name())
}

// drained reports whether the result of a call is drained in the function, or may be
// drained elsewhere. It also returns its name in the function.
func (l *lint) drained(site inspector.Cursor) (name string, ends bool) {
	kind, index := site.ParentEdge()
	var id *ast.Ident
	switch parent := site.Parent().Node().(type) {
	case *ast.SelectorExpr: // NewBroadcaster().NewRecorder(...)
		return "broadcaster", isEnd(parent)
	case *ast.ExprStmt:
		return "broadcaster", false
	case *ast.AssignStmt:
		id, _ = parent.Lhs[index].(*ast.Ident)
	case *ast.ValueSpec:
		id = parent.Names[index]
	}
	if id == nil || kind == edge.AssignStmt_Lhs {
		return "", true
	}
	if id.Name == "_" {
		return "broadcaster", false
	}
	v, ok := l.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || v.Kind() != types.LocalVar {
		return "", true
	}
	return id.Name, l.usesEnd(site, v)
}

// usesEnd reports whether any use of a variable drains it or lets it escape.
func (l *lint) usesEnd(site inspector.Cursor, v *types.Var) bool {
	for decl := range site.Enclosing((*ast.FuncDecl)(nil)) {
		for use := range decl.Preorder((*ast.Ident)(nil)) {
			if l.TypesInfo.Uses[use.Node().(*ast.Ident)] != v {
				continue
			}
			switch use.ParentEdgeKind() {
			case edge.SelectorExpr_X:
				if isEnd(use.Parent().Node().(*ast.SelectorExpr)) {
					return true
				}
			case edge.AssignStmt_Lhs, edge.BinaryExpr_X, edge.BinaryExpr_Y:
			default:
				return true
			}
		}
	}
	return false
}

// isEnd reports whether a method ends a broadcaster.
func isEnd(method *ast.SelectorExpr) bool {
	return method.Sel.Name == "Drain" || method.Sel.Name == "Shutdown"
}
