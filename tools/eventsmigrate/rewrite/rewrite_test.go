// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/call"
)

var update = flag.Bool("update", false, "write what the archives of testdata have of results")

// cases are the packages of testdata/rewrite, each with its configuration.
var cases = map[string]Config{
	"types": {}, "calls": {}, "related": {}, "shapes": {}, "boundary": {}, "manager": {}, "imports": {},
	"controllerruntime": {Config: border.Config{Target: api.ControllerRuntime}},
	"clientgo":          {Config: border.Config{Target: api.ClientGo}},
	"notes":             {Config: border.Config{Target: api.ClientGo}},

	"broadcaster": {}, "fake": {}, "mock": {}, "scheme": {}, "schemes": {}, "passing": {}, "generated": {},
	"comments": {}, "stub": {}, "actions": {}, "wiring": {}, "eventsonly": {EventsOnly: true},
	"unstarted": {}, "hosts": {}, "columns": {}, "golines": {}, "helpers": {}, "program": {}, "attempts": {}, "sinkless": {},
}

// Every rule has a package in testdata, with what is reported and what becomes of it. Caught, among others:
//
//	broadcasters  one that other code keeps, its options and its recorders with it; an option that is not the last one
//	fakes         one that other code keeps; a constructor used as a value
//	shapes        the Eventf of an embedded recorder taken for a mock's own
//	schemes       a helper that adds kinds not followed; a manager's scheme taken for an empty one
//	passing       a function that is used as a value; a fake that comes to a parameter beside an old recorder
//	generated     a mock of its own interface left; Return of a mock gets the new fake
//	comments      a reminder that goes on in the next line; one beside a recorder that stays old
//	unstarted     a manager that the package starts, or hands to code that may start it
//	hosts         a new import in the group of Kubernetes, where the package keeps that apart
//	columns       a line longer than the linter's limit; reason and action alone on a line
//	golines       a call that is too long broken otherwise than the others of the file
//	helpers       one that others may call, that is a value, or whose reason is not a constant
//	stub          a manager in production taken for a stub; a wrapper that embeds a real manager
func TestGolden(t *testing.T) {
	compareGoldens(t, configured(), loadCases(t))
}

func loadCases(t *testing.T) []*packages.Package {
	t.Helper()
	return load(t, nil, patterns()...)
}

// patterns are the packages of the cases.
func patterns() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		all = append(all, "rewrite/"+name)
	}
	return all
}

// configured is the analyzer with the configuration of each case.
func configured() *analysis.Analyzer {
	a := NewAnalyzer(&Config{})
	a.Run = func(p *analysis.Pass) (any, error) {
		config, ok := cases[strings.TrimSuffix(strings.TrimPrefix(p.Pkg.Path(), "rewrite/"), "_test")]
		if !ok {
			return []call.Chosen(nil), nil // the main package of a test
		}
		config.Ours = func(path string) bool { return strings.HasPrefix(path, "rewrite/") }
		config.Frozen = func(filename string) bool { return strings.HasSuffix(filename, "frozen.go") }
		return run(config, p)
	}
	return a
}
