// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

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

// Surveyor finds the recordings of a package. Its result is a *Survey.
var Surveyor = &analysis.Analyzer{
	Name:       "eventsurvey",
	Doc:        "find the calls that record Events",
	Requires:   []*analysis.Analyzer{inspect.Analyzer},
	ResultType: reflect.TypeFor[*Survey](),
	Run: func(pass *analysis.Pass) (any, error) {
		s := &Survey{
			Root:     pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root(),
			Info:     pass.TypesInfo,
			pkg:      pass.Pkg,
			Assigned: map[*types.Var][]assignments.Value{},
			Funcs:    map[*types.Func]*ast.FuncDecl{},
			calls:    map[*types.Func][]inspector.Cursor{},
		}
		for file := range s.Root.Children() {
			if !strings.HasSuffix(pass.Fset.Position(file.Node().Pos()).Filename, "_test.go") {
				s.file(file)
			}
		}
		s.record()
		return s, nil
	},
}

// A Survey has the calls and assignments in the production code of one package.
type Survey struct {
	Root inspector.Cursor
	Info *types.Info
	// Recordings are the calls of recorders, and after them those of their wrappers.
	Recordings []*Recording
	direct     int
	// Sites are all calls in the order of the files, and calls are those of each
	// function.
	Sites []inspector.Cursor
	calls map[*types.Func][]inspector.Cursor

	pkg *types.Package
	// Assigned has the values that are assigned to each variable and field.
	Assigned map[*types.Var][]assignments.Value
	// Funcs are the declarations of the package's functions.
	Funcs map[*types.Func]*ast.FuncDecl
}

func (s *Survey) file(file inspector.Cursor) {
	assignments.In(file.Node(), s.Info, s.Assigned)
	for cur := range file.Preorder((*ast.FuncDecl)(nil), (*ast.CallExpr)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.FuncDecl:
			if fn, ok := s.Info.Defs[n.Name].(*types.Func); ok {
				s.Funcs[fn] = n
			}
		case *ast.CallExpr:
			s.Sites = append(s.Sites, cur)
			if fn := s.Callee(n); fn != nil {
				s.calls[fn] = append(s.calls[fn], cur)
			}
		}
	}
}

// Callee returns the function that a call calls, as it was declared.
func (s *Survey) Callee(call *ast.CallExpr) *types.Func {
	if fn, ok := typeutil.Callee(s.Info, call).(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// record finds the recordings. It begins with the calls of recorders, and goes on
// with those of the functions that pass parameters on to a recording.
func (s *Survey) record() {
	for _, site := range s.Sites {
		call := site.Node().(*ast.CallExpr)
		if fn := s.Callee(call); fn != nil {
			if shape := shapeOf(fn); shape != nil {
				s.Recordings = append(s.Recordings, &Recording{Call: call, Cursor: site, shape: shape})
			}
		}
	}
	s.direct = len(s.Recordings)
	wrappers := map[*types.Func]*shape{}
	for i := 0; i < len(s.Recordings); i++ {
		fn, inner := s.wrapper(s.Recordings[i])
		if inner == nil || shapeOf(fn) != nil {
			continue
		}
		if outer := wrappers[fn]; outer != nil {
			outer.merge(inner)
			continue
		}
		wrappers[fn] = inner
		for _, site := range s.calls[fn] {
			s.Recordings = append(s.Recordings, &Recording{Call: site.Node().(*ast.CallExpr), Cursor: site, shape: inner})
		}
	}
}
