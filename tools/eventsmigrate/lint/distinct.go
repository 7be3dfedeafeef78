// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const distinctDoc = `check that notes which are told apart do not differ each time

Under NotesDistinct of package events, different notes are a series each, and an
Event object each. So it is with legacy.AsLegacy, which turns it on. A timestamp
or a UUID in the note then makes every occurrence a series: nothing is
coalesced, and notes with something to say are folded into the newest.

Reported among a note's arguments are times, durations that were measured,
UUIDs, UIDs, resource versions and random values. A package is looked at if it
calls NotesDistinct, its calls of the old shape if it calls AsLegacy, and every
package with the flag.

To fix it, leave the value to the Event's own times, to the log, or to an
annotation.`

const sdk = "github.com/eventseries/eventseries/"

func newDistinct() *analysis.Analyzer {
	var force bool
	a := newLint("distinct", distinctDoc, func(l *lint) { l.distinct(force) })
	a.Flags.BoolVar(&force, "force", false, "take NotesDistinct to be on everywhere")
	return a
}

func (l *lint) distinct(force bool) {
	apart, oldApart := force, false
	for fn := range l.calls {
		switch fn.FullName() {
		case sdk + "events.NotesDistinct":
			apart = true
		case sdk + "legacy.AsLegacy":
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
	case isNamed(t, "time", "Time"), isNamed(t, metav1, "Time"), isNamed(t, metav1, "MicroTime"):
		return "a timestamp"
	case isNamed(t, "github.com/google/uuid", "UUID"):
		return "a UUID"
	case isNamed(t, "k8s.io/apimachinery/pkg/types", "UID"):
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
		if from.expr != nil {
			if why := c.expr(from.expr); why != "" {
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
