// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

// Analyzers returns every lint. Their names begin with "event", because go vet
// makes a flag of each; their diagnostics have the category lint/<name> without
// it.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		newLint("action", actionDoc, (*lint).action),
		newLint("reason", reasonDoc, (*lint).reason),
		newLint("note", noteDoc, (*lint).note),
		newLint("format", formatDoc, (*lint).format),
		newLint("volatile", volatileDoc, (*lint).volatile),
		newDistinct(),
		newLint("drain", drainDoc, (*lint).drain),
		newLint("uid", uidDoc, (*lint).uid),
	}
}

// A lint is one analyzer on one package.
type lint struct {
	*analysis.Pass
	*survey
	name string
}

func newLint(name, doc string, run func(*lint)) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "event" + name,
		Doc:      doc,
		Requires: []*analysis.Analyzer{surveyor},
		Run: func(pass *analysis.Pass) (any, error) {
			run(&lint{Pass: pass, survey: pass.ResultOf[surveyor].(*survey), name: name})
			return nil, nil
		},
	}
}

// reportf reports a finding at a node.
func (l *lint) reportf(at ast.Node, format string, args ...any) {
	l.report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Message: fmt.Sprintf(format, args...)})
}

func (l *lint) report(d analysis.Diagnostic) {
	d.Category = "lint/" + l.name
	l.Report(d)
}
