// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

const (
	testifyPath = "github.com/stretchr/testify"
	gomegaPath  = "github.com/onsi/gomega"
)

// isTestify says whether a call is one of testify's assertions, or its form with
// a format.
func (f *file) isTestify(call *ast.CallExpr, names ...string) bool {
	fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
	return ok && fn.Pkg() != nil && strings.HasPrefix(fn.Pkg().Path(), testifyPath) &&
		slices.Contains(names, strings.TrimSuffix(fn.Name(), "f"))
}

// testify is assert.Equal(t, "Normal Reason note", <-recorder.Events).
func (r *read) testify(call *ast.CallExpr, n *ast.UnaryExpr) *form {
	if !r.isTestify(call, "Equal", "Contains") {
		return nil
	}
	fn := typeutil.Callee(r.TypesInfo, call).(*types.Func)
	args := call.Args
	if fn.Signature().Recv() == nil {
		args = args[1:] // t
	}
	name, isFormat := strings.CutSuffix(fn.Name(), "f")
	first, wanted := ast.Unparen(args[0]) == n, args[0]
	if first {
		wanted = args[1]
	} else if name == "Contains" {
		return nil
	}
	want, ok := r.all.want(r.file, name, wanted)
	sel, isSel := call.Fun.(*ast.SelectorExpr)
	if !ok || !isSel {
		return nil
	}
	return &form{at: call, effect: takes, blocks: true, edit: func(pl *place) {
		check := "NoError"
		if isFormat {
			check += "f"
		}
		pl.replace(sel.Sel.Pos(), sel.Sel.End(), check)
		pl.replace(args[0].Pos(), args[1].End(), r.pkg(kitPath)+".Check("+r.next()+", "+want.text(r.file)+")")
	}}
}

// gomegaAssertion is Expect(actual).To(matcher).
type gomegaAssertion struct {
	actual, verb, matcher *ast.Ident // the names
	call                  *ast.CallExpr
	args                  []ast.Expr // of the matcher
	whole                 ast.Node
}

// assertion is the Gomega assertion whose actual value is the n-th node around
// the channel.
func (r *read) assertion(actual *ast.CallExpr, n int) (as gomegaAssertion, ok bool) {
	if as.actual, ok = r.gomegaName(actual); !ok || len(actual.Args) == 0 {
		return as, false
	}
	for {
		sel, isSel := r.around(n + 1).(*ast.SelectorExpr)
		call, isCall := r.around(n + 2).(*ast.CallExpr)
		if !isSel || !isCall || call.Fun != ast.Expr(sel) {
			return as, false
		}
		if !strings.HasPrefix(sel.Sel.Name, "With") {
			as.verb, as.whole = sel.Sel, call
			if len(call.Args) == 0 {
				return as, false
			}
			as.call, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
			if !ok {
				return as, false
			}
			as.matcher, ok = r.gomegaName(as.call)
			as.args = as.call.Args
			return as, ok
		}
		n += 2
	}
}

// gomegaName is the name of the function of Gomega that a call calls.
func (f *file) gomegaName(call *ast.CallExpr) (*ast.Ident, bool) {
	fn, ok := typeutil.Callee(f.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), gomegaPath) {
		return nil, false
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun, true
	case *ast.SelectorExpr:
		return fun.Sel, true
	}
	return nil, false
}

// flipped are the verbs that say the contrary.
var flipped = map[string]string{
	"To": "NotTo", "NotTo": "To", "ToNot": "To", "Should": "ShouldNot", "ShouldNot": "Should",
}

func (as gomegaAssertion) negated() bool { return strings.Contains(as.verb.Name, "Not") }

// gomega is an assertion about the channel itself.
func (r *read) gomega(call *ast.CallExpr) *form {
	as, ok := r.assertion(call, 1)
	if !ok || flipped[as.verb.Name] == "" || ast.Unparen(call.Args[0]) != r.sel {
		return nil
	}
	sync := as.actual.Name == "Expect" || as.actual.Name == "Ω"
	switch {
	case as.matcher.Name == "Receive" && len(as.args) == 1:
		return r.received(as, sync)
	case as.matcher.Name == "Receive" && len(as.args) == 0:
		return r.receivedAny(as, sync)
	case (as.matcher.Name == "BeEmpty" || as.matcher.Name == "HaveLen") && sync:
		return &form{at: as.whole, edit: r.occurrences}
	case as.matcher.Name == "HaveLen" || as.matcher.Name == "BeEmpty" && as.actual.Name == "Consistently":
		return &form{at: as.whole, edit: r.method}
	}
	return nil
}

// method hands on the method instead of what it returns, to be called again.
func (r *read) method(pl *place) { pl.replace(r.sel.Sel.Pos(), r.sel.Sel.End(), "Occurrences") }

// receivedAny is Receive(), which says whether there is anything in the channel.
func (r *read) receivedAny(as gomegaAssertion, sync bool) *form {
	edit := func(pl *place) {
		if sync {
			r.occurrences(pl)
		} else {
			r.method(pl)
		}
		pl.replace(as.verb.Pos(), as.verb.End(), flipped[as.verb.Name])
		pl.replace(as.matcher.Pos(), as.matcher.End(), "BeEmpty")
	}
	switch {
	case as.negated() && (sync || as.actual.Name == "Consistently"):
		return &form{at: as.whole, edit: edit}
	case !as.negated() && sync:
		return &form{at: as.whole, effect: takes, edit: edit}
	case !as.negated() && as.actual.Name == "Eventually":
		return &form{at: as.whole, effect: polls, edit: edit}
	}
	return nil
}

// received is Receive(matcher): of the next event, or of any that comes.
func (r *read) received(as gomegaAssertion, sync bool) *form {
	if as.negated() {
		return nil
	}
	want, ok := r.all.matcher(r.file, as.args[0])
	switch {
	case ok && sync:
		return &form{at: as.whole, effect: takes, edit: func(pl *place) {
			pl.replace(r.sel.Pos(), r.sel.End(), r.next())
			r.replaceMatcher(pl, as.call, want)
		}}
	case ok && as.actual.Name == "Eventually":
		return &form{at: as.whole, effect: polls, edit: func(pl *place) {
			r.method(pl)
			r.replaceMatcher(pl, as.call, want)
		}}
	case sync && r.isMatcher(as.args[0]):
		found := r.text(as.whole, func(pl *place, text string) {
			pl.replace(r.sel.Pos(), r.sel.End(), text)
			pl.replace(as.call.Pos(), as.args[0].Pos(), "").replace(as.args[0].End(), as.call.End(), "")
			r.dropName(as.call.Fun)
		})
		if found != nil {
			found.blocks = false
		}
		return found
	}
	return nil
}

// gomegaText is Expect(<-recorder.Events).To(matcher).
func (r *read) gomegaText(call *ast.CallExpr, n *ast.UnaryExpr) *form {
	as, ok := r.assertion(call, 2)
	if !ok || as.negated() || as.actual.Name != "Expect" && as.actual.Name != "Ω" || ast.Unparen(call.Args[0]) != n {
		return nil
	}
	want, ok := r.all.matcher(r.file, as.call)
	if !ok {
		return nil
	}
	return &form{at: as.whole, effect: takes, blocks: true, edit: func(pl *place) {
		pl.replace(n.Pos(), n.End(), r.next())
		r.replaceMatcher(pl, as.call, want)
	}}
}

func (r *read) isMatcher(e ast.Expr) bool {
	return hasMethods(r.TypesInfo.TypeOf(e), "Match", "FailureMessage", "NegatedFailureMessage")
}

// replaceMatcher puts a Want in a matcher's place.
func (r *read) replaceMatcher(pl *place, matcher *ast.CallExpr, want kitWant) {
	pl.replace(matcher.Pos(), matcher.End(), want.text(r.file))
	ast.Inspect(matcher, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			r.dropName(call.Fun)
		}
		return true
	})
}
