// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite"
)

// vetting reports whether go vet runs the tool. It asks for the version and the flags, then names a file per package.
func vetting(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg")
}

// vet speaks go vet's protocol, and does not return.
func vet() {
	o := &options{}
	o.rewriteFlags(flag.CommandLine)
	unitchecker.Main(append(lint.Analyzers(), reported(o))...)
}

// reported is the rewrite as go vet runs it, without edits. Go vet runs package by package, so nobody would check that
// the module compiles with them.
func reported(o *options) *analysis.Analyzer {
	analyzer := rewrite.NewAnalyzer(&rewrite.Config{})
	analyzer.Run = func(pass *analysis.Pass) (any, error) {
		config, err := o.config()
		if err != nil {
			return nil, err
		}
		quiet := *pass
		quiet.Report = func(diagnostic analysis.Diagnostic) {
			if len(diagnostic.SuggestedFixes) > 0 {
				diagnostic.Message += " (run eventsmigrate -fix)"
			}
			diagnostic.SuggestedFixes = nil
			diagnostic.Related = nil // the message has it
			pass.Report(diagnostic)
		}
		return rewrite.NewAnalyzer(config).Run(&quiet)
	}
	return analyzer
}
