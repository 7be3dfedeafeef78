// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/recorder"
)

// forReaders says what the SDK's recorders change for the readers of Events that client-go's tools/events recorded.
const forReaders = "readers find the Events in the same API and with the same fields, but fewer of them and with higher counts, because " +
	"repeats are one Event also after their object has changed, and because a count is written each time it has doubled. " +
	"Events that client-go loses arrive: those of an overload or a shutdown, those without an action, which get the reason as " +
	"their action, and those that RBAC allows through core/v1 alone"

// wired returns what the verdict says of recorders of tools/events that become the SDK's, or "" if there are none. Tests do
// not count.
func (m *migration) wired(outcome *verify.Outcome) string {
	made := 0
	for _, finding := range withoutTests(outcome.Findings) {
		if finding.Rule == recorder.Wiring && len(finding.Edits) > 0 {
			made++
		}
	}
	if made == 0 {
		return ""
	}
	m.note(forReaders)
	return counted(made, "recorder") + " would record through eventseries"
}

// recording counts the calls that record through the events API already.
func (m *migration) recording() int { return m.calls(api.HasNewShape) }

// calls counts the calls, outside of tests, of functions for which records returns true.
func (m *migration) calls(records func(*types.Func) bool) int {
	calls := map[token.Position]bool{} // several builds may have a file
	for _, program := range m.programs {
		for _, pkg := range program.Selected {
			for _, file := range pkg.Syntax {
				if strings.HasSuffix(program.Filename(file), "_test.go") {
					continue
				}
				ast.Inspect(file, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok {
						fn, ok := typeutil.Callee(pkg.TypesInfo, call).(*types.Func)
						if ok && records(fn) {
							calls[program.Fset.Position(call.Pos())] = true
						}
					}
					return true
				})
			}
		}
	}
	return len(calls)
}

// withWired adds to a verdict about calls of the old API what is said of recorders of tools/events.
func (m *migration) withWired(verdict, wired string) string {
	calls := m.recording()
	use := "use"
	if calls == 1 {
		use = "uses"
	}
	switch {
	case calls == 0 && verdict == "":
		return wired
	case calls == 0:
		return verdict + "; " + wired
	case verdict == "":
		return fmt.Sprintf("%d of %s already %s the events API; %s", calls, counted(calls, "recording call"), use, wired)
	default:
		return fmt.Sprintf("%s; %s already %s the events API; %s", verdict, counted(calls, "other call"), use, wired)
	}
}
