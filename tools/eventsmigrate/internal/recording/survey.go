// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"go/ast"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
)

// Surveyor finds the recordings of a package. Its result is a *Survey.
var Surveyor = &analysis.Analyzer{
	Name:       "eventsurvey",
	Doc:        "find the calls that record Events",
	ResultType: reflect.TypeFor[*Survey](),
	Run: func(pass *analysis.Pass) (any, error) {
		var files []*ast.File
		for _, file := range pass.Files {
			if !load.IsTest(pass.Fset.Position(file.FileStart).Filename) {
				files = append(files, file)
			}
		}
		s := &Survey{Package: dataflow.NewPackage(pass.Pkg, pass.TypesInfo, files)}
		s.record()
		return s, nil
	},
}

// A Survey has the recordings in the production code of one package.
type Survey struct {
	*dataflow.Package
	// Recordings are the calls of recorders, and after them those of their wrappers.
	Recordings []*Recording
	direct     int
}

// record finds the recordings. It begins with the calls of recorders, and goes on
// with those of the functions that pass parameters on to a recording. A call through
// an interface may be one of several such functions, of which the first counts.
func (s *Survey) record() {
	found := map[*ast.CallExpr]bool{}
	add := func(call dataflow.Call, shape *shape) {
		if !found[call.CallExpr] {
			found[call.CallExpr] = true
			s.Recordings = append(s.Recordings, &Recording{call, shape})
		}
	}
	for _, call := range s.Calls {
		if fn := s.Callee(call.CallExpr); fn != nil {
			if shape := shapeOf(fn); shape != nil {
				add(call, shape)
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
		for _, call := range s.Alone().CallsOf(fn) {
			add(call, inner)
		}
	}
}
