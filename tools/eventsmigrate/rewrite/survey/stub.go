// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package survey

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

// stubs has what tests say about managers. A mock or a stub of a manager is a value of a type that declares
// GetEventRecorderFor or GetEventRecorder itself, and whose other methods may do nothing, or fail the test.
type stubs struct {
	// handed has the variables to which a test assigns a mock or a stub, with the place where it does so.
	handed map[string]token.Position
	// made has the functions that return one.
	made set
	// from has, by variable, the variables and functions whose values are assigned to the variable, and where.
	from map[string]map[string]token.Position
	// kinds has the types of the mocks and stubs that are passed to functions, or to fields.
	kinds set
}

func newStubs() stubs {
	return stubs{
		handed: map[string]token.Position{},
		made:   set{},
		from:   map[string]map[string]token.Position{},
		kinds:  set{},
	}
}

// Stub returns the place where a test assigns a mock or a stub of a manager to a variable, perhaps through others, and
// false if no test does so.
func (s *Survey) Stub(fset *token.FileSet, v *types.Var) (token.Position, bool) {
	if v == nil {
		return token.Position{}, false
	}
	return s.stubs.find(key(fset, v), set{})
}

func (s *stubs) find(key string, seen set) (token.Position, bool) {
	if place, ok := s.handed[key]; ok {
		return place, true
	}
	for _, from := range slices.Sorted(maps.Keys(s.from[key])) {
		if s.made[from] {
			return s.from[key][from], true
		}
		if seen[from] {
			continue
		}
		seen[from] = true
		if place, ok := s.find(from, seen); ok {
			return place, true
		}
	}
	return token.Position{}, false
}

func (s *stubs) add(to, from string, at token.Position) {
	if s.from[to] == nil {
		s.from[to] = map[string]token.Position{}
	}
	s.from[to][from] = at
}

// Passes reports whether a test passes a mock or a stub of a type to something.
func (s *Survey) Passes(fset *token.FileSet, t types.Type) bool {
	name := api.TypeName(t)
	return name != nil && s.stubs.kinds[position(fset, name)]
}

// IsStub reports whether a type is that of a mock or a stub of a manager.
func IsStub(t types.Type) bool {
	return !types.IsInterface(t) && slices.ContainsFunc(providers(t), func(fn *types.Func) bool {
		return !types.IsInterface(fn.Signature().Recv().Type())
	})
}

// providers are the methods of a type that make a recorder, as those of a manager do.
func providers(t types.Type) (all []*types.Func) {
	if t == nil {
		return nil
	}
	for _, name := range []string{api.ManagerMethod, api.EventsMethod} {
		found, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		fn, ok := found.(*types.Func)
		if ok && (api.IsEventsProvider(fn) ||
			fn.Signature().Results().Len() == 1 && api.IsOldRecorder(fn.Signature().Results().At(0).Type())) {
			all = append(all, fn)
		}
	}
	return all
}

// managers notes what is assigned to variables of managers.
func (p *surveyed) managers() {
	for _, a := range p.data.Assignments {
		if a.Expr != nil && !a.Element && len(providers(a.To.Type())) > 0 {
			p.flow(a.Expr, a.To)
		}
	}
	for _, file := range p.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				p.arguments(n)
			case *ast.FuncDecl:
				p.results(n)
			}
			return true
		})
	}
}

// arguments notes the managers that a call hands over.
func (p *surveyed) arguments(call *ast.CallExpr) {
	fn, ok := p.callee(call).(*types.Func)
	if !ok {
		return
	}
	parameters := fn.Origin().Signature().Params()
	for i, arg := range call.Args {
		if i < parameters.Len() && len(providers(parameters.At(i).Type())) > 0 {
			p.flow(arg, parameters.At(i))
		}
	}
}

// results notes a function that returns a mock or a stub.
func (p *surveyed) results(decl *ast.FuncDecl) {
	fn, ok := p.Info.Defs[decl.Name].(*types.Func)
	if !ok || decl.Body == nil {
		return
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, result := range n.Results {
				if IsStub(p.Info.TypeOf(result)) {
					p.stubs.made[position(p.Fset, fn)] = true
				}
			}
		}
		return true
	})
}

// flow notes that the value of an expression is assigned to a variable. Only tests hand over mocks and stubs: a type of
// the project that is used in production is a manager.
func (p *surveyed) flow(e ast.Expr, to *types.Var) {
	e = ast.Unparen(e)
	at := p.Fset.Position(e.Pos())
	inTest := load.IsTest(at.Filename)
	call, isCall := e.(*ast.CallExpr)
	switch t := p.Info.TypeOf(e); {
	case isCall && p.Info.Types[call.Fun].IsType():
		p.flow(call.Args[0], to)
	case IsStub(t) && inTest:
		p.stubs.handed[key(p.Fset, to)] = at
		if name := api.TypeName(t); name != nil && (to.Kind() == types.ParamVar || to.IsField()) {
			p.stubs.kinds[position(p.Fset, name)] = true
		}
	case isCall && inTest:
		if fn, ok := p.callee(call).(*types.Func); ok {
			p.stubs.add(key(p.Fset, to), position(p.Fset, fn.Origin()), at)
		}
	default:
		if from := p.data.Variable(e); from != nil {
			p.stubs.add(key(p.Fset, to), key(p.Fset, from), at)
		}
	}
}
