// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"
)

func init() {
	// The flag makes printf check functions of these names, whatever their type.
	if err := printf.Analyzer.Flags.Set("funcs", "Eventf,AnnotatedEventf"); err != nil {
		panic(err)
	}
}

func (l *lint) format() {
	l.printf()
	for r, arg := range l.args(note) {
		switch {
		case len(r.noteArgs()) > 0:
			l.data(r, arg)
		case r.shape.formats:
			l.plainText(arg)
		default:
			l.unformatted(arg)
		}
	}
}

// printf runs go vet's analyzer and keeps its diagnostics about recordings. It runs
// without facts, and so does not know which functions of other packages format.
func (l *lint) printf() {
	pass := *l.Pass
	pass.Analyzer = printf.Analyzer
	pass.ResultOf = map[*analysis.Analyzer]any{inspect.Analyzer: l.root.Inspector()}
	pass.ImportObjectFact = func(types.Object, analysis.Fact) bool { return false }
	pass.ExportObjectFact = func(types.Object, analysis.Fact) {}
	pass.Report = func(d analysis.Diagnostic) {
		if l.within(d) && !strings.HasPrefix(d.Message, "non-constant format string") { // plainText has those
			d.Message += ": make the note and its arguments fit"
			l.report(d)
		}
	}
	_, _ = printf.Analyzer.Run(&pass) // it returns no error
}

// within reports whether a diagnostic is about a recording.
func (l *lint) within(d analysis.Diagnostic) bool {
	for _, r := range l.recordings {
		if r.call.Pos() <= d.Pos && d.Pos < r.call.End() {
			return true
		}
	}
	return false
}

// data reports a format that is data for certain: a field of an object, or a text with that of an error in it.
func (l *lint) data(r *recording, arg ast.Expr) {
	field := false
	if selector, ok := ast.Unparen(arg).(*ast.SelectorExpr); ok {
		v, ok := l.info.Uses[selector.Sel].(*types.Var)
		field = ok && v.IsField() && strings.HasPrefix(v.Pkg().Path(), "k8s.io/api")
	}
	if !field && l.textOf(arg).volatile != errorText {
		return
	}
	d := analysis.Diagnostic{
		Pos: arg.Pos(), End: arg.End(),
		Message: "the note is made at run time and used as the format of the arguments behind it: " +
			`write a format such as "%s: %s" before it`,
	}
	if !r.call.Ellipsis.IsValid() {
		d.SuggestedFixes = insertFormat(arg, "%s:"+strings.Repeat(" %v", len(r.noteArgs())))
	}
	l.report(d)
}

// insertFormat makes an argument the first one of a format.
func insertFormat(arg ast.Expr, format string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("Insert %q", format),
		TextEdits: []analysis.TextEdit{{Pos: arg.Pos(), End: arg.Pos(), NewText: fmt.Appendf(nil, "%q, ", format)}},
	}}
}

// plainText reports a note that is used as a format but is plain text.
func (l *lint) plainText(arg ast.Expr) {
	t := l.textOf(arg)
	if l.info.Types[arg].Value != nil || t.known() && !strings.Contains(strings.Join(t.constants, ""), "%") {
		return
	}
	l.report(analysis.Diagnostic{
		Pos: arg.Pos(), End: arg.End(),
		Message:        `the note is made at run time and used as a format, so that a % in it garbles it: put "%s" before it`,
		SuggestedFixes: insertFormat(arg, "%s"),
	})
}

// directive matches a verb that is unlikely in plain text.
var directive = regexp.MustCompile(`%[+#]?[vsdqTw]\b`)

// unformatted reports a format that is used as plain text.
func (l *lint) unformatted(arg ast.Expr) {
	for _, c := range l.textOf(arg).constants {
		if verb := directive.FindString(c); verb != "" {
			l.reportf(arg, "the note has the verb %s and is not formatted: call Eventf, or leave the verb out", verb)
		}
	}
}
