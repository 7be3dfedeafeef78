// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// managers rewrites controller-runtime's GetEventRecorderFor where its result
// becomes a new recorder. Where the result goes to code that stays old, it stays.
func (f *file) managers() {
	stays := map[ast.Expr]string{}
	f.flows(func(fl flow) {
		if fl.side == oldSide && isOldRecorder(fl.target) || f.outsiders(fl.target) {
			stays[ast.Unparen(fl.value)] = f.taker(fl)
		}
	})
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !f.isProvider(sel) || len(call.Args) != 1 {
			return true
		}
		if taker := stays[call]; taker != "" {
			f.keep(call, "%s takes this recorder and stays with the old API", taker)
			return true
		}
		f.manager(call, sel)
		return true
	})
}

// outsiders says whether a target is another module's interface that the old
// recorder satisfies, as leader election's.
func (f *file) outsiders(t types.Type) bool {
	s, ok := f.ofType(t)
	return ok && s == oldSide
}

// isProvider says whether a selector is GetEventRecorderFor of another module's
// manager, cluster or provider.
func (f *file) isProvider(sel *ast.SelectorExpr) bool {
	fn, ok := f.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Name() == managerMethod && !f.migrated(fn) && fn.Signature().Results().Len() == 1 &&
		isOldRecorder(fn.Signature().Results().At(0).Type())
}

func (f *file) manager(call *ast.CallExpr, sel *ast.SelectorExpr) {
	receiver := f.TypesInfo.TypeOf(sel.X)
	switch {
	case f.config.target() == SDK && hasMethods(receiver, "Add", "GetCache", "GetConfig", "GetScheme"):
		f.rewrite(call, "manager", "the recorder of the manager's one adapter").
			insert(sel.X.Pos(), f.pkg(sdkAdapter)+".RecorderFor(").
			replace(sel.X.End(), call.Args[0].Pos(), ", ")
	case hasMethods(receiver, managerReplace):
		f.rewrite(call, "manager", "%s is %s in the events API", managerMethod, managerReplace).
			replace(sel.Sel.Pos(), sel.Sel.End(), managerReplace)
	default:
		f.leave(call, "manager",
			"%s has no %s: use controller-runtime v0.23.0 or newer, or hand in an *adapter.Adapter",
			f.describe(receiver), managerReplace)
		return
	}
	f.decided[call] = newSide
	f.dropDirective(call)
}

// directive tells a linter that a call may be deprecated.
var directive = regexp.MustCompile(`^//\s*nolint:\s*staticcheck(\s|$)|^//lint:ignore SA1019\s`)

// dropDirective removes the directive for a call that is deprecated no longer: on its line, or alone on the line before.
func (f *file) dropDirective(call *ast.CallExpr) {
	for _, group := range f.ast.Comments {
		for _, comment := range group.List {
			if f.edited[comment] || !directive.MatchString(comment.Text) {
				continue
			}
			text, _, _ := strings.Cut(f.lineText(comment.Pos()), comment.Text)
			alone := strings.TrimSpace(text) == ""
			start := f.offset(comment.Pos()) - len(text)
			switch line := f.line(comment.Pos()); {
			case alone && line+1 == f.line(call.Pos()):
				f.cut(comment, start-1)
			case !alone && (line == f.line(call.Pos()) || line == f.line(call.End())):
				f.cut(comment, start+len(strings.TrimRight(text, " \t")))
			}
		}
	}
}

// cut removes a comment and what is before it from an offset on.
func (f *file) cut(comment *ast.Comment, from int) {
	f.edited[comment] = true
	f.rewrite(comment, "manager", "this directive has nothing to allow any more").
		replace(comment.Pos()-token.Pos(f.offset(comment.Pos())-from), comment.End(), "")
}

// keep notes what rightly stays old. It needs nobody.
func (f *file) keep(n ast.Node, format string, args ...any) { f.leave(n, Kept, format, args...) }
