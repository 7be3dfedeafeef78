// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	_ "embed" // of doc.go
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// Analyzers returns every lint. Their names begin with "event", because go vet
// makes a flag of each; their diagnostics have the category lint/<name> without
// it.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		newLint("action", (*lint).action),
		newLint("reason", (*lint).reason),
		newLint("note", (*lint).note),
		newLint("format", (*lint).format),
		newLint("volatile", (*lint).volatile),
		Drain(),
	}
}

// Drain returns the lint about broadcasters that nothing shuts down.
func Drain() *analysis.Analyzer { return newLint("drain", (*lint).drain) }

// A lint is one analyzer on one package.
type lint struct {
	*analysis.Pass
	*recording.Survey
	name string
}

//go:embed doc.go
var docs string

func newLint(name string, run func(*lint)) *analysis.Analyzer {
	_, doc, _ := strings.Cut(docs, "// event"+name+": ")
	doc, _, _ = strings.Cut(doc, "//\n// # ")
	doc, _, _ = strings.Cut(doc, "package lint\n")
	return &analysis.Analyzer{
		Name:     "event" + name,
		Doc:      strings.NewReplacer("\n// ", "\n", "\n//", "\n").Replace(strings.TrimSpace(doc)),
		Requires: []*analysis.Analyzer{inspect.Analyzer, recording.Surveyor},
		Run: func(pass *analysis.Pass) (any, error) {
			run(&lint{Pass: pass, Survey: pass.ResultOf[recording.Surveyor].(*recording.Survey), name: name})
			return nil, nil
		},
	}
}

func (l *lint) inspector() *inspector.Inspector {
	return l.ResultOf[inspect.Analyzer].(*inspector.Inspector)
}

// reportf reports a finding at a node.
func (l *lint) reportf(at ast.Node, format string, args ...any) {
	l.report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Message: fmt.Sprintf(format, args...)})
}

func (l *lint) report(d analysis.Diagnostic) {
	d.Category = "lint/" + l.name
	l.Report(d)
}
