// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// recorderModules make recorders that the rewrite knows.
var recorderModules = []string{"k8s.io/client-go/", "sigs.k8s.io/controller-runtime/", load.SDK + "/"}

// foreign reports the calls, outside of tests, of other modules' functions that make recorders of tools/events. The SDK has
// no part in such a recorder. It returns the packages of the functions, one for each call.
func (m *migration) foreign() (makers []string) {
	if m.options.target != string(api.SDK) {
		return nil
	}
	m.eachCall(func(fn *types.Func, at token.Position) {
		if !m.makesElsewhere(fn) {
			return
		}
		m.place(report.Place{
			Rule:   plan.Wiring,
			Status: report.Human,
			File:   at.Filename,
			Line:   at.Line,
			Column: at.Column,
			Message: fn.Pkg().Path() + " makes this recorder, which records through client-go: make it here, if its " +
				"Events are to go through eventseries",
		})
		makers = append(makers, fn.Pkg().Path())
	})
	return makers
}

// makesElsewhere reports whether a function is another module's, and returns a recorder of the events API.
func (m *migration) makesElsewhere(fn *types.Func) bool {
	if fn.Pkg() == nil || m.project.Main(fn.Pkg().Path()) {
		return false
	}
	known := func(module string) bool { return strings.HasPrefix(fn.Pkg().Path(), module) }
	if slices.ContainsFunc(recorderModules, known) {
		return false
	}
	for result := range fn.Signature().Results().Variables() {
		if api.RecordsNew(result.Type()) {
			return true
		}
	}
	return false
}
