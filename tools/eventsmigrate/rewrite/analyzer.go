// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rewrite has the analyzer that rewrites code from record.EventRecorder to the events API.
//
//	survey ──▶ border ──▶ call, recorder ──▶ plan ──▶ a diagnostic per place
//
// Package survey looks at all packages before, and has what one package needs to know of the others. Package border
// finds which values are old, which become new, and where they go. Package call rewrites what is called on recorders,
// and recorder where they come from and go to. Their edits meet in a plan, which is reported in the end, with the
// imports that they need.
//
// Recorders of client-go's tools/events have the interface of the SDK's. So a step of its own edits only the places that make
// one, and the values that flow from there need no border.
package rewrite

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/imports"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/recorder"
)

// Config says what to rewrite, and to what. The zero value rewrites the packages
// of the pass's module to the SDK.
type Config struct {
	border.Config
	// Actions has actions by reason, or call.ByCall. They win over what the rewrite would choose.
	Actions map[string]string
	// EventsOnly says to leave the old API as it is, and to rewrite only what makes recorders of tools/events.
	EventsOnly bool
}

// NewAnalyzer returns the analyzer, which reports a diagnostic per place. Diagnostics without a fix need a human. The result is
// a []call.Chosen: the actions of calls.
func NewAnalyzer(config *Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "eventsmigrate",
		Doc: "rewrite k8s.io/client-go/tools/record to the events API\n\n" +
			"Types, calls, constructors, fakes and wrappers of the old recorder get the shape of\n" +
			"Eventf(regarding, related, type, reason, action, note, args...). Values that cross the border to\n" +
			"code that stays old are bridged by legacy.AsLegacy and legacy.FromLegacy.",
		ResultType: reflect.TypeFor[[]call.Chosen](),
		Run:        func(p *analysis.Pass) (any, error) { return run(*config, p) },
	}
}

// run rewrites one package.
func run(config Config, p *analysis.Pass) ([]call.Chosen, error) {
	b := border.New(p, config.Config)
	names := imports.New(p, b.Config.Ours)
	var files []*plan.File
	for _, f := range p.Files {
		file, err := plan.NewFile(p, f, names, b.FrozenAt(f.FileStart))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	var chosen []call.Chosen
	if !config.EventsOnly {
		chosen = migrate(files, b, config.Actions)
	}
	for _, f := range files {
		if !f.Frozen {
			recorder.Wire(f, b)
		}
		f.Report()
	}
	return chosen, nil
}

// migrate rewrites code of the old API.
func migrate(files []*plan.File, b *border.Package, actions map[string]string) []call.Chosen {
	for _, f := range files {
		recorder.Decide(f, b)
	}
	calls := call.New(b, actions)
	calls.Helpers(files)
	for _, f := range files {
		if !f.Frozen {
			calls.RemoveDead(f)
		}
	}
	calls.Choose(files)
	for _, f := range files {
		if !f.Frozen {
			recorder.Rename(f, b)
			calls.Rewrite(f)
		}
		recorder.Bridge(f, b)
	}
	calls.MergedNotes()
	return calls.Chosen
}
