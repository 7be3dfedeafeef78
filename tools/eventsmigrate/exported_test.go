// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a function that other modules call changes, and nothing says so, because the module has a program; the note
// is there for packages that no other module can import.
func TestExportedPlacesAreNoted(t *testing.T) {
	inModule(t, withSDK+second+worker+strings.ReplaceAll(worker, "worker/", "internal/worker/")+`
-- second/exported.go --
package main

import "k8s.io/client-go/tools/record"

func Exported(record.EventRecorder) {}
-- worker/worker_test.go --
package worker

import "k8s.io/client-go/tools/record"

func Exported(record.EventRecorder) {}
`)
	const want = "  1 exported declaration changes, and modules that import the package may not compile any more: " +
		"release a new major version, or keep the old declaration and add a new one beside it, see " +
		"https://github.com/eventseries/eventseries/blob/main/MIGRATING.md#a-library\n    worker/worker.go:8: Work\n"
	if got := runTool(t); !strings.Contains(got.stdout, want) {
		t.Errorf("run = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
}

func TestChangedExports(t *testing.T) {
	const source = `package a

import %s

func Function(%[2]s) {}

func unexported(%[2]s) {}

func Unchanged() { var _ %[2]s }

type Struct struct {
	A int
	Recorder %[2]s
}

type Hidden struct{ recorder %[2]s }

func (*Struct) Method() %[2]s { return nil }

type hidden struct{}

func (hidden) Method(%[2]s) {}

type Generic[T any] struct{}

func (g *Generic[T]) Method(%[2]s) {}

var Value, Other %[2]s
`
	before := fmt.Sprintf(source, `"k8s.io/client-go/tools/record"`, "record.EventRecorder")
	after := fmt.Sprintf(source, `"github.com/eventseries/eventseries/events"`, "events.EventRecorder")
	const variable = "package a\n\nimport %s\n\nvar Command = &Cmd{Run: func() { r.Event(%s) }, Recorder: %s}\n\n" +
		"var Made = %s\n\nvar F = %s\n"
	const imported = "package a\n\nimport %s\n\nvar Recorder events.EventRecorder\n"
	tests := []struct {
		name, before, after string
		want                []string
	}{
		{
			name: "a package", before: before, after: after,
			want: []string{
				"5: Function", "11: Struct", "18: Struct.Method", "26: Generic.Method", "28: Value", "28: Other",
			},
		},
		{name: "a program", before: strings.Replace(before, "package a", "package main", 1), after: after},
		{
			// Caught: what changes in the value of a variable, and not in its type, is another declaration.
			name: "values",
			before: fmt.Sprintf(variable, `"k8s.io/client-go/tools/record"`, `"Started"`, "record.NewFakeRecorder(1)",
				"record.NewFakeRecorder(1)", "func() { record.F() }"),
			after: fmt.Sprintf(variable, `"github.com/eventseries/eventseries/events"`, `"Started", "Start"`,
				"events.NewFakeRecorder(1)", "events.NewFakeRecorder(1)", "func() { events.F() }"),
			want: []string{"7: Made"},
		},
		{
			// Caught: two packages of one name are one.
			name:   "another package of that name",
			before: fmt.Sprintf(imported, `events "k8s.io/client-go/tools/record"`),
			after:  fmt.Sprintf(imported, `"github.com/eventseries/eventseries/events"`),
			want:   []string{"5: Recorder"},
		},
		{
			name:   "an alias",
			before: fmt.Sprintf(imported, `"k8s.io/client-go/tools/events"`),
			after:  fmt.Sprintf(imported, `"github.com/eventseries/eventseries/clientgo/events"`),
		},
		{
			// Caught: a parameter a line is another declaration.
			name:   "the same in another form",
			before: "package a\n\nfunc F(a int, b int) {}\n",
			after:  "package a\n\nfunc F(\n\ta int,\n\tb int,\n) {\n}\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changed, err := changedExports([]byte(test.before), []byte(test.after))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, declaration := range changed {
				got = append(got, fmt.Sprintf("%d: %s", declaration.line, declaration.name))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("changed (-want +got):\n%s", diff)
			}
		})
	}
}
