// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package survey

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

const (
	machinery = "k8s.io/apimachinery/pkg/runtime"
	// clientScheme is client-go's package of a scheme with the kinds of all packages below kinds.
	clientScheme = "k8s.io/client-go/kubernetes/scheme"
	kinds        = "k8s.io/api/"
)

// Knows reports whether the recorders of a package can refer to the kinds of another package, because no scheme with
// which a recorder is made lacks them. If the package makes no recorder, those of all packages count. A scheme whose
// maker is not seen, such as that of a manager, lacks nothing.
func (s *Survey) Knows(user, path string) bool {
	schemes := s.recorders[user]
	if len(schemes) == 0 {
		for _, made := range s.recorders {
			schemes = append(schemes, made...)
		}
	}
	return !slices.ContainsFunc(schemes, func(scheme string) bool { return !s.has(s.schemes[scheme], path, set{}) })
}

// has reports whether packages add the kinds of a package to a scheme, themselves or by what they name.
func (s *Survey) has(adders set, path string, seen set) bool {
	for adder := range adders {
		if adder == path || adder == clientScheme && strings.HasPrefix(path, kinds) || ofOneRepository(adder, path) {
			return true
		}
		if !seen[adder] {
			seen[adder] = true
			if s.has(s.adds[adder], path, seen) {
				return true
			}
		}
	}
	return false
}

// ofOneRepository reports whether the paths of two packages begin with the same host, owner and name.
func ofOneRepository(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	return len(x) > 3 && len(y) > 3 && slices.Equal(x[:3], y[:3])
}

// adder notes an identifier that is a function that adds kinds to a scheme, such as AddToScheme.
func (p *surveyed) adder(id *ast.Ident) {
	used := p.Info.Uses[id]
	if used == nil || used.Pkg() == nil || used.Pkg() == p.Types || used.Pkg().Path() == machinery {
		return
	}
	sig, ok := used.Type().Underlying().(*types.Signature)
	if ok && sig.Params().Len() == 1 && api.IsType(sig.Params().At(0).Type(), machinery, "Scheme") {
		add(p.adds, p.path(), used.Pkg().Path())
	}
}

// schemeOf notes the scheme with which a call makes a recorder, and what a call adds to a scheme.
func (p *surveyed) schemeOf(call *ast.CallExpr) {
	callee := p.callee(call)
	for _, arg := range call.Args {
		if callee == nil || callee.Pkg() == nil || !api.IsType(p.Info.TypeOf(arg), machinery, "Scheme") {
			continue
		}
		scheme := p.scheme(arg)
		switch {
		case scheme == nil:
		case api.IsNamed(callee, api.Record, "NewRecorder"):
			p.recorders[p.path()] = append(p.recorders[p.path()], key(p.Fset, scheme))
			if scheme.Pkg() != p.Types {
				add(p.schemes, key(p.Fset, scheme), scheme.Pkg().Path())
			}
		case callee.Pkg().Path() == machinery: // a builder's method, with what the package names elsewhere
			add(p.schemes, key(p.Fset, scheme), p.path())
		default:
			add(p.schemes, key(p.Fset, scheme), callee.Pkg().Path())
		}
	}
}

// scheme is the variable that holds a new scheme, or one of another package, or nil if it is not known where the scheme
// comes from.
func (p *surveyed) scheme(e ast.Expr) *types.Var {
	v := p.data.Variable(e)
	switch {
	case v == nil || v.Pkg() != p.Types && v.Parent() != v.Pkg().Scope():
		return nil
	case v.Pkg() != p.Types:
		return v
	}
	switch from := p.data.Only(e).(type) {
	case *ast.CallExpr:
		if api.IsNamed(p.callee(from), machinery, "NewScheme") {
			return v
		}
	case *ast.Ident, *ast.SelectorExpr:
		return p.scheme(from)
	}
	return nil
}
