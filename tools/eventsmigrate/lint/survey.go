// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/assignments"
)

// surveyor finds what several lints use.
var surveyor = &analysis.Analyzer{
	Name:       "eventsurvey",
	Doc:        "find the calls that record Events",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*survey](),
	Run: func(pass *analysis.Pass) (any, error) {
		s := &survey{
			info:     pass.TypesInfo,
			pkg:      pass.Pkg,
			root:     pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
			assigned: map[*types.Var][]assignments.Value{},
			funcs:    map[*types.Func]*ast.FuncDecl{},
			calls:    map[*types.Func][]inspector.Cursor{},
		}
		for file := range s.root.Children() {
			if !strings.HasSuffix(pass.Fset.Position(file.Node().Pos()).Filename, "_test.go") {
				s.file(file)
			}
		}
		s.record()
		return s, nil
	},
}

// A survey has the calls and assignments in the production code of one package.
type survey struct {
	info *types.Info
	pkg  *types.Package
	root inspector.Cursor
	// recordings are the calls of recorders and of their wrappers.
	recordings []*recording
	// assigned has the values that are assigned to each variable and field.
	assigned map[*types.Var][]assignments.Value
	funcs    map[*types.Func]*ast.FuncDecl
	// sites are all calls in the order of the files, and calls are those of each
	// function.
	sites []inspector.Cursor
	calls map[*types.Func][]inspector.Cursor
}

func (s *survey) file(file inspector.Cursor) {
	assignments.In(file.Node(), s.info, s.assigned)
	for cur := range file.Preorder((*ast.FuncDecl)(nil), (*ast.CallExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			if fn, ok := s.info.Defs[n.Name].(*types.Func); ok {
				s.funcs[fn] = n
			}
		case *ast.CallExpr:
			s.sites = append(s.sites, cur)
			if fn := s.callee(n); fn != nil {
				s.calls[fn] = append(s.calls[fn], cur)
			}
		}
	}
}

// callee returns the function that a call calls, as it was declared.
func (s *survey) callee(call *ast.CallExpr) *types.Func {
	if fn, ok := typeutil.Callee(s.info, call).(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// record finds the recordings. It begins with the calls of recorders, and goes on
// with those of the functions that pass parameters on to a recording.
func (s *survey) record() {
	for _, site := range s.sites {
		call := site.Node().(*ast.CallExpr)
		if fn := s.callee(call); fn != nil {
			if shape := shapeOf(fn); shape != nil {
				s.recordings = append(s.recordings, &recording{call, site, shape})
			}
		}
	}
	wrappers := map[*types.Func]*shape{}
	for i := 0; i < len(s.recordings); i++ {
		fn, inner := s.wrapper(s.recordings[i])
		if inner == nil || shapeOf(fn) != nil {
			continue
		}
		if outer := wrappers[fn]; outer != nil {
			outer.merge(inner)
			continue
		}
		wrappers[fn] = inner
		for _, site := range s.calls[fn] {
			s.recordings = append(s.recordings, &recording{site.Node().(*ast.CallExpr), site, inner})
		}
	}
}
