// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

func (l *lint) distinct() {
	apart, oldApart := false, false
	for fn := range l.calls {
		switch fn.FullName() {
		case api.Events + ".NotesDistinct":
			apart = true
		case api.Legacy + ".AsLegacy":
			oldApart = true
		}
	}
	for r, arg := range l.args(note) {
		if !apart && !(oldApart && r.shape.old) {
			continue
		}
		for _, expr := range append([]ast.Expr{arg}, r.noteArgs()...) {
			c := distinctFinder{survey: l.survey, seen: map[types.Object]bool{}}
			if why := c.expr(expr); why != "" {
				l.reportf(expr, "the note has %s in it, so that every occurrence is a series of its own "+
					"under NotesDistinct: leave it to the Event's times, the log or an annotation", why)
			}
		}
	}
}

// A distinctFinder looks for values that differ from call to call.
type distinctFinder struct {
	*survey
	seen map[types.Object]bool
}

// expr says what in an expression differs from call to call. It returns "" if nothing
// is known to differ.
func (c *distinctFinder) expr(expr ast.Expr) string {
	expr = ast.Unparen(expr)
	if c.info.Types[expr].Value != nil {
		return ""
	}
	switch t := c.info.TypeOf(expr); {
	case api.IsType(t, "time", "Time"), api.IsType(t, metav1, "Time", "MicroTime"):
		return "a timestamp"
	case api.IsType(t, "github.com/google/uuid", "UUID"):
		return "a UUID"
	case api.IsType(t, "k8s.io/apimachinery/pkg/types", "UID"):
		return "a UID"
	}
	switch expr := expr.(type) {
	case *ast.CallExpr:
		return c.call(expr)
	case *ast.BinaryExpr:
		return cmp.Or(c.expr(expr.X), c.expr(expr.Y))
	case *ast.SelectorExpr:
		if field := c.info.Uses[expr.Sel]; isIdentity(field) && field.Name() == "ResourceVersion" {
			return "a resource version"
		}
	case *ast.Ident:
		return c.variable(expr)
	}
	return ""
}

const metav1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

func (c *distinctFinder) variable(id *ast.Ident) string {
	v, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok || c.seen[v] {
		return ""
	}
	c.seen[v] = true
	for _, from := range c.assigned[v] {
		if from.Expr != nil {
			if why := c.expr(from.Expr); why != "" {
				return why
			}
		}
	}
	return ""
}

func (c *distinctFinder) call(call *ast.CallExpr) string {
	if c.info.Types[call.Fun].IsType() {
		return c.expr(call.Args[0])
	}
	fn := c.callee(call)
	switch {
	case fn == nil || fn.Pkg() == nil:
		return ""
	case fn.Pkg().Path() == "fmt" && strings.HasPrefix(fn.Name(), "Sprint"):
		for _, arg := range call.Args {
			if why := c.expr(arg); why != "" {
				return why
			}
		}
		return ""
	case fn.Pkg().Path() == "time":
		return c.time(call, fn)
	case isIdentity(fn) && fn.Name() == "GetResourceVersion":
		return "a resource version"
	}
	return changes(fn)
}

// time is for functions and methods of package time.
func (c *distinctFinder) time(call *ast.CallExpr, fn *types.Func) string {
	if slices.Contains([]string{"Since", "Until", "Sub"}, fn.Name()) {
		return "a measured duration"
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if fn.Signature().Recv() == nil || !ok || types.Identical(c.info.TypeOf(call), types.Typ[types.Bool]) {
		return ""
	}
	return c.expr(method.X)
}
