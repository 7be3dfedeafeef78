// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

func init() {
	// The flag makes printf check functions of these names, whatever their type.
	if err := printf.Analyzer.Flags.Set("funcs", "Eventf,AnnotatedEventf"); err != nil {
		panic(err)
	}
}

func (l *lint) format() {
	l.printf()
	for r, arg := range l.Args(recording.Note) {
		if l.lacksAction(r) {
			continue // the argument is not the note
		}
		if !r.Formats() {
			l.unformatted(arg)
		} else if len(r.NoteArgs()) == 0 {
			l.plainText(arg)
		}
	}
}

// printf runs go vet's analyzer and keeps its diagnostics about recordings. It runs
// without facts, and so does not know which functions of other packages format.
func (l *lint) printf() {
	pass := *l.Pass
	pass.Analyzer = printf.Analyzer
	pass.ResultOf = map[*analysis.Analyzer]any{inspect.Analyzer: l.inspector()}
	pass.ImportObjectFact = func(types.Object, analysis.Fact) bool { return false }
	pass.ExportObjectFact = func(types.Object, analysis.Fact) {}
	pass.Report = func(d analysis.Diagnostic) {
		about := func(r *recording.Recording) bool { return r.Pos() <= d.Pos && d.Pos < r.End() }
		if slices.ContainsFunc(l.Recordings, about) && !strings.HasPrefix(d.Message, "non-constant format string") { // plainText has those
			d.Message += ": make the note and its arguments fit"
			l.report(d)
		}
	}
	_, _ = printf.Analyzer.Run(&pass) // it returns no error
}

// plainText reports a note that is used as a format but is plain text.
func (l *lint) plainText(arg ast.Expr) {
	t := l.TextOf(arg)
	if l.TypesInfo.Types[arg].Value != nil || t.Known() && !strings.Contains(strings.Join(t.Constants, ""), "%") {
		return
	}
	l.report(analysis.Diagnostic{
		Pos: arg.Pos(), End: arg.End(),
		Message:        `the note is made at run time and used as a format, so that a % in it garbles it: put "%s" before it`,
		SuggestedFixes: edit(`Insert "%s"`, arg.Pos(), arg.Pos(), `"%s", `),
	})
}

// directive matches a verb that is unlikely in plain text.
var directive = regexp.MustCompile(`%[+#]?[vsdqTw]\b`)

// unformatted reports a format that is used as plain text.
func (l *lint) unformatted(arg ast.Expr) {
	for _, c := range l.TextOf(arg).Constants {
		if verb := directive.FindString(c); verb != "" {
			l.reportf(arg, "the note has the verb %s and is not formatted: call Eventf, or leave the verb out", verb)
		}
	}
}
