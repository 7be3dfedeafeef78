// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// end is what ends a broadcaster: a context, a stop channel, or nothing.
type end struct {
	text  string
	isCtx bool
}

// contextText is the context for adapter.New: that of the old broadcaster, else
// one in scope.
func (u use) contextText(at token.Pos) string {
	if ctx := u.contextOf(); ctx != nil {
		return u.text(ctx)
	}
	if v := u.inScope(at, isContext); v != nil {
		return v.Name()
	}
	return u.pkg("context") + ".Background()"
}

// contextOf is x in record.NewBroadcaster(record.WithContext(x)), or nil.
func (u use) contextOf() ast.Expr {
	for _, arg := range u.call().Args {
		if ctx := u.option(arg, "WithContext"); ctx != nil {
			return ctx
		}
	}
	return nil
}

// lasting says whether a context never ends.
func (u use) lasting(ctx ast.Expr) bool {
	call, ok := ast.Unparen(ctx).(*ast.CallExpr)
	return ok && isNamed(u.callee(call), "context", "Background", "TODO")
}

// endOf finds what ends what is started: the context of the old broadcaster if
// that is known where it starts, else a context or a stop channel in scope.
func (w *wiring) endOf(start use) end {
	at := start.expr.Pos()
	maker := w.makers[0]
	own := maker.contextOf()
	lasting := own != nil && maker.lasting(own)
	here := len(w.makers) == 1 && maker.declaration() == start.declaration()
	switch {
	case here && own != nil && !lasting && w.visible(own, at):
		return end{text: start.text(own), isCtx: true}
	case lasting:
	default:
		if v := start.inScope(at, isContext); v != nil {
			return end{text: v.Name(), isCtx: true}
		}
	}
	if v := start.inScope(at, isStop); v != nil {
		return end{text: v.Name()}
	}
	return end{}
}

func isContext(t types.Type) bool {
	return isNamed(typeNameOrNil(t), "context", "Context")
}

func isStop(t types.Type) bool {
	ch, ok := types.Unalias(t).(*types.Chan)
	if !ok || ch.Dir() == types.SendOnly {
		return false
	}
	st, ok := ch.Elem().(*types.Struct)
	return ok && st.NumFields() == 0
}

// inScope is the innermost local variable of some type that lasts, or nil.
func (f *file) inScope(at token.Pos, is func(types.Type) bool) *types.Var {
	for scope := f.Pkg.Scope().Innermost(at); scope != nil && scope.Parent() != f.Pkg.Scope() &&
		scope != f.Pkg.Scope(); scope = scope.Parent() {
		names := scope.Names()
		slices.SortStableFunc(names, func(a, b string) int { return int(scope.Lookup(a).Pos() - scope.Lookup(b).Pos()) })
		for _, name := range names {
			v, ok := scope.Lookup(name).(*types.Var)
			if !ok || name == "_" || !is(v.Type()) || f.passing(v) {
				continue
			}
			if _, found := f.Pkg.Scope().Innermost(at).LookupParent(name, at); found == types.Object(v) {
				return v
			}
		}
	}
	return nil
}

// passing says whether a context ends by a timeout.
func (f *file) passing(v *types.Var) bool {
	found := false
	ast.Inspect(f.ast, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || f.variable(assign.Lhs[0]) != types.Object(v) {
			return true
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		found = found || ok && isNamed(f.callee(call), "context",
			"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause")
		return true
	})
	return found
}

// startWriting rewrites StartRecordingToSink.
func (w *wiring) startWriting(start use) {
	stmt, _ := start.statement()
	ends := w.endOf(start)
	receiver := start.text(start.receiver())
	var text, message string
	switch {
	case ends.isCtx && start.returnsError() && w.madeIn(start.function()):
		message = "the broadcaster starts with a context, whose end ends it"
		method := "Start"
		if w.config.target() != SDK {
			method = "StartRecordingToSinkWithContext"
		}
		indent := start.indent(stmt.Pos())
		text = "if err := " + receiver + "." + method + "(" + ends.text + "); err != nil {\n" +
			indent + "\treturn err\n" + indent + "}"
	case ends.isCtx:
		message = "the broadcaster starts, and the end of " + ends.text + " ends it"
		text = receiver + ".StartRecordingToSink(" + ends.text + ".Done())"
	case ends.text != "":
		message = "the broadcaster starts, and " + ends.text + " ends it"
		text = receiver + ".StartRecordingToSink(" + ends.text + ")"
	default:
		message = "the broadcaster starts; no context or stop channel is in scope"
		text = receiver + ".StartRecordingToSink(" + start.pkg(waitPath) + ".NeverStop)"
	}
	pl := start.rewrite(start.expr, "constructor", "").replace(stmt.Pos(), stmt.End(), text)
	if w.drains(start) || w.stoppedInline(start) {
		message += "; at the end it writes what is pending"
		pl.insert(stmt.End(), "\n"+start.indent(stmt.Pos())+"defer "+receiver+".Shutdown()")
	} else if w.endless(ends) && !start.isTest() {
		start.leave(start.expr, "constructor", "nothing ends this broadcaster: call %s.Shutdown() when the component ends, "+
			"or what is pending then is lost", receiver)
	}
	pl.message = message
}

// madeIn says whether a function makes the broadcaster. What others make may be
// started already, as by a test.
func (w *wiring) madeIn(function ast.Node) bool {
	return slices.ContainsFunc(w.makers, func(maker use) bool { return maker.function() == function })
}

// returnsError says whether the function around a start returns an error alone.
func (u use) returnsError() bool {
	sig, ok := u.signature(u.function())
	if !ok || sig.Results().Len() != 1 {
		return false
	}
	return types.Identical(sig.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}

// ended says whether the component ends the broadcaster somewhere.
func (w *wiring) ended() bool {
	for _, s := range w.stops {
		if s.ends() {
			return true
		}
	}
	return len(w.ends) > 0
}

// endless says whether nothing drains an adapter. Client-go's broadcaster has
// nothing to drain.
func (w *wiring) endless(ends end) bool {
	if w.config.target() != SDK || w.ended() || ends.text != "" {
		return false
	}
	for _, maker := range w.makers {
		ctx := maker.contextOf()
		if ctx != nil && !maker.lasting(ctx) || ctx == nil && maker.inScope(w.madeAt(maker), isContext) != nil {
			return false
		}
	}
	return true
}
