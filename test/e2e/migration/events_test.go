// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package migration

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// kind is what the occurrences of one series have in common.
type kind struct{ Type, Reason string }

// occurrence is what an operator has recorded once.
type occurrence struct {
	kind
	Note string
}

// event is a stored Event.
type event struct {
	occurrence
	API   string // that it was written through
	Count int64
}

// eventsOf returns the Events in a namespace about objects of a kind.
func eventsOf(t *testing.T, env *harness.Env, namespace, objects string) (all []event) {
	t.Helper()
	for _, e := range env.Events(namespace) {
		if e.Regarding.Kind == objects {
			o := occurrence{kind{e.Type, e.Reason}, e.Note}
			all = append(all, event{o, apiOf(t, e.ManagedFields), harness.Count(&e)})
		}
	}
	return all
}

// stored returns how many occurrences of each kind the Events stand for.
func stored(all []event) map[kind]int64 {
	counts := map[kind]int64{}
	for _, e := range all {
		counts[e.kind] += e.Count
	}
	return counts
}

// holds reports whether the Events have at least one of each kind of the occurrences.
func holds(all []event, occurrences []occurrence) bool {
	counts := stored(all)
	return !slices.ContainsFunc(occurrences, func(o occurrence) bool { return counts[o.kind] == 0 })
}

// emitted returns how many of the occurrences are of each kind.
func emitted(all []occurrence) map[kind]int64 {
	counts := map[kind]int64{}
	for _, o := range all {
		counts[o.kind]++
	}
	return counts
}

// apiOf returns the API through which an object was written.
func apiOf(t *testing.T, fields []metav1.ManagedFieldsEntry) string {
	t.Helper()
	var apis []string
	for _, f := range fields {
		apis = append(apis, f.APIVersion)
	}
	slices.Sort(apis)
	apis = slices.Compact(apis)
	if len(apis) != 1 {
		t.Fatalf("written through %v, want one API", apis)
	}
	return apis[0]
}

// databaseRecorder is where an operator's main gives the controller of databases its recorder.
var databaseRecorder = regexp.MustCompile(`(?m)^\t\tRecorder: (.*"database-controller"\).*),$`)

// printRecorded makes the module's operator print what its controller of databases records. An operator records what it
// happens to meet, such as a conflict, or a write that its own end cut off. So only the operator knows what to expect.
func (m *module) printRecorded(t *testing.T, recorder string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata/recording", recorder+".go"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(m.dir, "cmd/main.go")
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !databaseRecorder.Match(main) {
		t.Fatalf("no recorder of the database controller in\n%s", main)
	}
	write(t, path, databaseRecorder.ReplaceAll(main, []byte("\t\tRecorder: recording{$1},")))
	write(t, filepath.Join(m.dir, "cmd/recording.go"), source)
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// recorded returns what the program has recorded so far, by its own account.
func (p *process) recorded(t *testing.T) (all []occurrence) {
	t.Helper()
	for line := range strings.Lines(p.out.String()) {
		text, found := strings.CutPrefix(line, "recorded ")
		if !found || !strings.HasSuffix(line, "\n") {
			continue
		}
		var o occurrence
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, o)
	}
	return all
}
