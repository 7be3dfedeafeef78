// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// What a note says is what the options of the manager have.
func TestElections(t *testing.T) {
	for name, row := range map[string]struct {
		body string
		want []string // each in one note, the last for the whole; none: no note
	}{
		"literal": {
			`ctrl.NewManager(cfg(), ctrl.Options{LeaderElection: enabled, LeaderElectionID: id, LeaderElectionNamespace: *ns})`,
			[]string{
				"cmd/main.go:4: ", "config := cfg()\n", "NewRecorder(id)", "{Namespace: *ns, Name: id}) // only if enabled\n",
			},
		},
		"always, in the namespace of the pod": {
			`ctrl.NewManager(c, ctrl.Options{LeaderElection: true, LeaderElectionID: "a.b"})`,
			[]string{`NewRecorder("a.b")`, "types.NamespacedName{Name: \"a.b\"})\n"},
		},
		"options in a variable": {
			`options := ctrl.Options{LeaderElection: true}; ctrl.NewManager(c, options)`,
			[]string{"config := ctrl.GetConfigOrDie()\n", `Name: "the name of the Lease"})`},
		},
		"no election": {body: `ctrl.NewManager(c, ctrl.Options{LeaderElection: false})`},
		"a lock":      {body: `ctrl.NewManager(c, ctrl.Options{LeaderElection: true, LeaderElectionResourceLockInterface: lock})`},
	} {
		t.Run(name, func(t *testing.T) {
			fset, file := token.NewFileSet(), "package main\n\nfunc main() {\n\t"+row.body+"\n}\n"
			syntax, err := parser.ParseFile(fset, "main.go", file, 0)
			if err != nil {
				t.Fatal(err)
			}
			note := noteOf(fset, syntax)
			var missing []string
			for _, want := range row.want {
				if !strings.Contains(note, want) {
					missing = append(missing, want)
				}
			}
			if len(missing) > 0 || len(row.want) == 0 && note != "" {
				t.Errorf("the note lacks %q:\n%s", missing, note)
			}
		})
	}
}

func noteOf(fset *token.FileSet, file *ast.File) (notes string) {
	for _, e := range electionsOf(file) {
		notes += e.note("cmd/main.go", fset.Position(e.at).Line)
	}
	return notes
}

// The lines go into the report of the run, until the lock is there.
func TestReportOfElections(t *testing.T) {
	before := withSDK + `
-- options.go --
package main

type options struct {
	LeaderElection                      bool
	LeaderElectionID                    string
	LeaderElectionResourceLockInterface any
}

func manager(config any, o options) {}
-- main.go --
package main

import (
	"context"

	"github.com/eventseries/eventseries/adapter"
)

func main() {
	adapter.New(context.Background(), nil).NewRecorder("m").Eventf(nil, nil, "Normal", "Started", "Start", "started")
	manager("config", options{LeaderElection: true, LeaderElectionID: "m.example.com"})
}
`
	inModule(t, before)
	const line = "main.go:11: the Events of this leader election need core/v1"
	if got := runTool(t); !strings.Contains(got.stdout, line) {
		t.Errorf("the report lacks %q:\n%s%s", line, got.stdout, got.stderr)
	}
	inModule(t, strings.ReplaceAll(before, `"m.example.com"}`, `"m.example.com", LeaderElectionResourceLockInterface: 1}`))
	if got := runTool(t); strings.Contains(got.stdout, "leader election") {
		t.Errorf("the report of a lock of the SDK:\n%s%s", got.stdout, got.stderr)
	}
}
