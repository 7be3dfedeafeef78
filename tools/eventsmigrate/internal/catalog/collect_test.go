// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load/loadtest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

// collect returns what builds of a package record, with these build tags.
func collect(t *testing.T, code string, builds ...string) *Catalog {
	t.Helper()
	const head = "-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n\nrequire stubs\n-- m.go --\npackage m\n\nimport (\n" +
		"\tcorev1 \"k8s.io/api/core/v1\"\n\t\"k8s.io/apimachinery/pkg/runtime\"\n\t\"k8s.io/client-go/tools/record\"\n)\n\n" +
		"var _ runtime.Object = &corev1.Pod{}\nvar rec record.EventRecorder\nvar pod *corev1.Pod\n"
	all := &Catalog{}
	for _, program := range loadtest.Programs(t, moduletest.Write(t, head+code), append([]string{""}, builds...)...) {
		found, err := Collect(program.Fset, program.Selected)
		if err != nil {
			t.Fatal(err)
		}
		all.Add(found)
	}
	return all
}

// lines are the entries of a catalogue, and the unknown calls.
func lines(c *Catalog) (all []string) {
	for _, e := range c.Entries {
		all = append(all, fmt.Sprintf("%q %s of %v: %s", e.Controller, e.Reason, e.Regarding, places(e.Places)))
	}
	if len(c.Unknown) > 0 {
		all = append(all, "unknown: "+places(c.Unknown))
	}
	return all
}

// places are written as file:line, where the lines of m.go count from the end of what all tests have.
func places(all []token.Position) string {
	var texts []string
	for _, at := range all {
		name, line := strings.TrimSuffix(filepath.Base(at.Filename), ".go"), at.Line
		if name == "m" {
			line -= 12
		}
		texts = append(texts, fmt.Sprintf("%s:%d", name, line))
	}
	return strings.Join(texts, " ")
}

func TestCollect(t *testing.T) {
	for _, test := range []struct {
		name, code string
		builds     []string
		calls      int
		want       []string
	}{
		{
			name: "a literal outside of functions",
			code: `
var run = func() { rec.Event(pod, "Normal", "Run", "ran") }
var warn = func(reason string) { rec.Event(pod, "Normal", reason, "ran") }
var passes = func() { note("Passed") }

func note(reason string) { rec.Event(pod, "Normal", reason, "noted") }
`,
			calls: 3,
			want:  []string{`"" Passed of [Pod]: m:3`, `"" Run of [Pod]: m:1`, "unknown: m:2"},
		},
		{
			name: "a method of an interface",
			code: `
type reporter interface{ Warn(runtime.Object, string) }

type closer interface {
	Warn(object runtime.Object, reason string)
	Close()
}

type recording struct{}

func (*recording) Warn(object runtime.Object, reason string) { rec.Event(object, "Warning", reason, "warned") }

type counting struct{}

func (*counting) Warn(object runtime.Object, reason string, times int) { rec.Event(object, "Warning", reason, "counted") }

func use(r reporter, c closer) {
	r.Warn(pod, "Slow")
	c.Warn(pod, "Closed")
}
`,
			calls: 2,
			want:  []string{`"" Slow of [Pod]: m:17`, "unknown: m:14"},
		},
		{
			name: "an object whose type is asserted",
			code: `
func use(find func(*corev1.Node) any) {
	var object runtime.Object = find(&corev1.Node{}).(*corev1.Pod)
	rec.Event(object, "Normal", "Found", "found")
}
`,
			calls: 1,
			want:  []string{`"" Found of [Pod]: m:3`},
		},
		{
			name: "builds with one controller each",
			code: `
func plain() { rec.Event(pod, "Normal", "Plain", "it has no name in this build") }
-- other.go --
//go:build other

package m

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func named() {
	recorder := record.NewBroadcaster().NewRecorder(nil, corev1.EventSource{Component: "x"})
	recorder.Event(pod, "Normal", "Named", "it has")
}
`,
			builds: []string{"other"},
			calls:  2,
			want:   []string{`"x" Named of [Pod]: other:12`, `"x" Plain of [Pod]: m:1`},
		},
		{
			name: "builds with several controllers",
			code: `
func named() {
	recorder := record.NewBroadcaster().NewRecorder(nil, corev1.EventSource{Component: "x"})
	recorder.Event(pod, "Normal", "Named", "it has a name")
}

func plain() { rec.Event(pod, "Normal", "Plain", "it has none") }
-- other.go --
//go:build other

package m

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func other() {
	recorder := record.NewBroadcaster().NewRecorder(nil, corev1.EventSource{Component: "y"})
	recorder.Event(pod, "Normal", "Other", "it has another")
}
`,
			builds: []string{"other"},
			calls:  3,
			want:   []string{`"" Plain of [Pod]: m:6`, `"x" Named of [Pod]: m:3`, `"y" Other of [Pod]: other:12`},
		},
		{
			name: "calls of one build each",
			code: `
-- one.go --
//go:build !other

package m

func one() { rec.Event(pod, "Normal", "One", "one") }
-- other.go --
//go:build other

package m

func other() { rec.Event(pod, "Normal", "Other", "other") }
`,
			builds: []string{"other"},
			calls:  2,
			want:   []string{`"" One of [Pod]: one:5`, `"" Other of [Pod]: other:5`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := collect(t, test.code, test.builds...)
			if diff := cmp.Diff(test.want, lines(got)); diff != "" || got.Calls != test.calls {
				t.Errorf("%d calls, want %d (-want +got):\n%s", got.Calls, test.calls, diff)
			}
		})
	}
}

// Caught: the callers beyond the limit are in no entry, and not unknown.
func TestCollectOfManyCallers(t *testing.T) {
	const callers = maxCalls + 100
	code := "func note(reason string) { rec.Event(pod, \"Normal\", reason, \"noted\") }\n\n" +
		"func all() {\n" + strings.Repeat("\tnote(\"Noted\")\n", callers) + "}\n"
	got := collect(t, code)
	if len(got.Entries) != 1 || len(got.Entries[0].Places)+len(got.Unknown) != callers || len(got.Unknown) == 0 {
		t.Errorf("of %d calls, %d entries have places, and %d calls are unknown", callers, len(got.Entries), len(got.Unknown))
	}
}
