// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
)

// source is the code that a command looks at.
type source struct {
	*job
	project  *load.Project
	scopes   []*load.Scope   // one for each build
	programs []*load.Program // one for each build
	broken   []load.Broken   // of all builds
}

// open finds the modules of the working directory. The project must be closed.
func open(ctx context.Context, j *job) (*source, error) {
	project, err := load.Open(ctx, j.dir)
	if err != nil {
		return nil, err
	}
	j.outside = project.Outside
	return &source{job: j, project: project}, nil
}

// find finds the packages of each build, and returns an error for a pattern that matches no package in any of them.
func (s *source) find(ctx context.Context) error {
	s.progress.Show("finding packages, and downloading what is missing")
	for _, tags := range s.options.tags {
		scopes, err := s.project.Scopes(ctx, s.options.args, tags)
		if err != nil {
			return err
		}
		s.scopes = append(s.scopes, scopes...)
	}
	for _, pattern := range s.scopes[0].Missing {
		other := func(scope *load.Scope) bool { return !slices.Contains(scope.Missing, pattern) }
		switch {
		case slices.ContainsFunc(s.scopes, other):
		case strings.HasSuffix(pattern, ".go"):
			return fmt.Errorf("%s is not a package: name its directory, such as ./%s", pattern, path.Dir(filepath.ToSlash(pattern)))
		default:
			return fmt.Errorf("no package of the main modules matches %s", pattern)
		}
	}
	return nil
}

// load loads the selected packages, and reports whether there are any.
func (s *source) load(ctx context.Context) (bool, error) {
	if !slices.ContainsFunc(s.scopes, func(scope *load.Scope) bool { return len(scope.Selected) > 0 }) {
		return false, nil
	}
	var err error
	if s.programs, err = s.project.Load(ctx, s.scopes, s.progress.Show); err != nil {
		return false, err
	}
	s.broken = load.AllBroken(s.programs)
	return true, load.Downloaded(s.broken)
}

// analyze runs analyzers on all builds. It returns what they found, and the result of each analyzer for each package.
func (s *source) analyze(analyzers ...*analysis.Analyzer) (findings []analyze.Finding, results []any, err error) {
	for _, program := range s.programs {
		s.progress.Show("analysing %s", counted(len(program.Selected), "package"))
		found, ofPackages, err := analyze.Run(program.Fset, program.Selected, analyzers)
		if err != nil {
			return nil, nil, err
		}
		findings = analyze.Merge(findings, found)
		results = append(results, ofPackages...)
	}
	return findings, results, nil
}

// settle finds the edits after which everything compiles, and reports what was found.
func (s *source) settle(ctx context.Context, rewrite verify.Rewrite) (*verify.Outcome, error) {
	return verify.Settle(ctx, s.programs, rewrite, func(done, all int) {
		s.progress.Show("checking package %d of %d", done, all)
	})
}

// eachCall visits the calls of functions outside of tests, each once although several builds may have its file.
func (s *source) eachCall(visit func(fn *types.Func, at token.Position)) {
	seen := map[token.Position]bool{}
	for _, program := range s.programs {
		for _, pkg := range program.Selected {
			for _, file := range pkg.Syntax {
				if load.IsTest(program.Filename(file)) {
					continue
				}
				ast.Inspect(file, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					fn, ok := typeutil.Callee(pkg.TypesInfo, call).(*types.Func)
					at := program.Fset.PositionFor(call.Pos(), false)
					if ok && !seen[at] {
						seen[at] = true
						visit(fn, at)
					}
					return true
				})
			}
		}
	}
}
