// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package rewrite has the analyzer that rewrites code from record.EventRecorder to the events API.
//
//	border ──▶ call, recorder ──▶ plan ──▶ a diagnostic per place
//
// Package border finds which values are old, which become new, and where they go. Package call rewrites what is called
// on recorders, and recorder where they come from and go to. Their edits meet in a plan, which is reported in the end,
// with the imports that they need.
package rewrite

import (
	"cmp"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/imports"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/recorder"
)

// Config says what to rewrite, and to what. The zero value rewrites the packages
// of the pass's module to the SDK.
type Config struct {
	// Target is what rewritten code uses; empty means the SDK.
	Target api.Target
	// Action finds the action of a call.
	Action call.Action
	// Ours says which packages are migrated together: their recorders all become
	// new. Nil means the packages of the pass's module.
	Ours func(pkgPath string) bool
	// Frozen says which files keep their old types, because their edits were
	// withdrawn. What crosses their border is bridged. Nil means none.
	Frozen func(filename string) bool
}

// NewAnalyzer returns the analyzer, which reports a diagnostic per place. Diagnostics without a fix need a human.
func NewAnalyzer(config *Config) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "eventsmigrate",
		Doc: "rewrite k8s.io/client-go/tools/record to the events API\n\n" +
			"Types, calls, constructors, fakes and wrappers of the old recorder get the shape of\n" +
			"Eventf(regarding, related, type, reason, action, note, args...). Values that cross the border to\n" +
			"code that stays old are bridged by legacy.AsLegacy and legacy.FromLegacy.",
		Run: func(p *analysis.Pass) (any, error) { return nil, run(*config, p) },
	}
}

// run rewrites one package.
func run(config Config, p *analysis.Pass) error {
	if config.Ours == nil {
		config.Ours = func(path string) bool {
			return p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
		}
	}
	if config.Frozen == nil {
		config.Frozen = func(string) bool { return false }
	}
	b := border.New(p, cmp.Or(config.Target, api.SDK), config.Ours, config.Frozen)
	names := imports.New(p, config.Ours)
	var files []*plan.File
	for _, f := range p.Files {
		file, err := plan.NewFile(p, f, names, config.Frozen(p.Fset.Position(f.FileStart).Filename))
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	for _, f := range files {
		recorder.Decide(f, b)
	}
	calls := call.New(b, config.Action)
	for _, f := range files {
		if !f.Frozen {
			calls.RemoveDead(f)
			recorder.Rename(f, b)
			calls.Rewrite(f)
		}
		recorder.Bridge(f, b)
	}
	calls.MergedNotes()
	for _, f := range files {
		f.Report()
	}
	return nil
}
