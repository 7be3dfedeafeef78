// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
)

func (l *lint) action() {
	for r, arg := range l.Args(recording.Action) {
		t := l.TextOf(arg)
		for _, c := range t.Constants {
			switch {
			case c == "":
				l.better(r, arg, "the action is empty, and the API server refuses the event")
			case len(c) > maxName:
				l.reportf(arg, "the action has %d bytes, and the API server refuses more than %d: shorten it",
					len(c), maxName)
			case directive.MatchString(c):
				l.missing(r, arg, c)
			case actions.SaysNothing(c) && isNamedBy(r, c):
				l.better(r, arg, "the action is the name of the function around it, and tells nothing")
			case c == "Reconcile" || c == "Reconciling":
				l.better(r, arg, "the action "+c+" tells nothing, because a controller does everything in Reconcile")
			}
		}
		switch v := l.reasonVariable(r, arg); {
		case v != nil:
			l.reportf(arg, "the action is the variable of the reason, %s, and tells nothing: name what was done or tried, or let the "+
				"callers pass it", v.Name())
		case t.Unknown && t.Volatile == "":
			l.reportf(arg, "the action is not a constant: write one, or choose one in a switch, "+
				"so that there are few actions and each can be found")
		}
		l.repeated(r, arg, t)
	}
}

// isNamedBy reports whether the name of the function around a recording begins with an action.
func isNamedBy(r *recording.Recording, action string) bool {
	return r.In != nil && len(r.In.Name.Name) >= len(action) && strings.EqualFold(r.In.Name.Name[:len(action)], action)
}

// reasonVariable returns the variable that is both the action and the reason of a recording, or nil. Where a wrapper makes both of
// one argument, the wrapper is to mend, and not its calls. A method of the old API's recorder has no action to pass on.
func (l *lint) reasonVariable(r *recording.Recording, arg ast.Expr) *types.Var {
	reason := r.Arg(recording.Reason)
	id, ok := ast.Unparen(arg).(*ast.Ident)
	other, also := ast.Unparen(reason).(*ast.Ident)
	if r.In != nil && slices.Contains(api.Methods, api.Method(r.In.Name.Name)) {
		return nil
	}
	if !ok || !also || arg == reason || l.TypesInfo.Uses[id] != l.TypesInfo.Uses[other] {
		return nil
	}
	v, _ := l.TypesInfo.Uses[id].(*types.Var)
	return v
}

// repeated reports an action that repeats a reason that tells another one.
func (l *lint) repeated(r *recording.Recording, arg ast.Expr, t dataflow.Text) {
	why := l.TextOf(r.Arg(recording.Reason))
	if why.Constant() == "" || t.Constant() != why.Constant() {
		return
	}
	if len(l.suggested(r)) > 0 {
		l.better(r, arg, "the action repeats the reason "+why.Constant()+", and tells nothing")
	}
}
