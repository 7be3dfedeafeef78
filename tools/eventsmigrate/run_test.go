// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

// controller is a module that records through the old API. Its go.mod is still to come.
const controller = `
-- recording/recording.go --
package recording

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// +kubebuilder:rbac:groups="",resources=events,verbs=create;patch

// Recording records what happens to pods.
type Recording struct {
	Recorder record.EventRecorder
}

func (r *Recording) Created(pod *corev1.Pod, name string) {
	r.Recorder.Eventf(pod, corev1.EventTypeNormal, "Created", "made %s", name)
}
-- user/user.go --
package user

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/m/recording"
)

func Use(r *recording.Recording, pod *corev1.Pod) {
	r.Recorder.Event(pod, corev1.EventTypeWarning, "Used", "100% used")
}
-- other/other.go --
package other

func Other() {}
-- config/rbac/role.yaml --
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: manager-role
rules:
- apiGroups:
  - ""
  resources:
  - events
  verbs:
  - create
  - patch
`

const (
	withStubs = "-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n\nrequire stubs\n"
	withSDK   = "-- go.mod --\nmodule example.com/m\n\ngo 1.25.0\n\nrequire sdk\nrequire stubs\n"
)

// tool is one run.
type tool struct {
	code           int
	stdout, stderr string
}

// inModule writes the module and makes it the working directory.
func inModule(t *testing.T, archive string) string {
	t.Helper()
	dir := moduletest.Write(t, archive)
	t.Chdir(dir)
	return dir
}

func runTool(t *testing.T, args ...string) tool {
	t.Helper()
	return pipeTo(t, "", args...)
}

// pipeTo is a run with a text on standard input.
func pipeTo(t *testing.T, stdin string, args ...string) tool {
	t.Helper()
	var stdout, stderr strings.Builder
	code := run(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return tool{code, stdout.String(), stderr.String()}
}

// tree is all files below a directory.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestFixWritesAllAndLeavesNothing(t *testing.T) {
	dir := inModule(t, withSDK+controller)

	got := runTool(t, "-fix")
	if got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	moduletest.Go(t, dir, "vet", "./...")
	for _, want := range []struct{ file, text string }{
		{"recording/recording.go", "Recorder events.EventRecorder\n"},
		{"recording/recording.go", `(pod, nil, corev1.EventTypeNormal, "Created", "Create", "made %s", name)`},
		{"recording/recording.go", "// +kubebuilder:rbac:groups=\"\";events.k8s.io,resources=events,verbs=create;patch\n"},
		{"user/user.go", `Eventf(pod, nil, corev1.EventTypeWarning, "Used", "Sync", "%s", "100% used")`},
		{"config/rbac/role.yaml", "- apiGroups:\n  - \"\"\n  - events.k8s.io\n  resources:\n"},
	} {
		if text := moduletest.Read(t, dir, want.file); !strings.Contains(text, want.text) {
			t.Errorf("%s lacks %q:\n%s", want.file, want.text, text)
		}
	}

	// Caught: the marker is added to the text from before the rewrite, and added again.
	before := tree(t, dir)
	if got := runTool(t, "-fix"); got.code != nothingLeft {
		t.Errorf("the second -fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the second -fix changed files (-before +after):\n%s", diff)
	}
}

// Caught: events.k8s.io gets the verbs of the marker, create alone, so that repeats are forbidden, and the report says nothing.
func TestMarkerWithoutPatch(t *testing.T) {
	const create = "- apiGroups:\n  - \"\"\n  resources:\n  - events\n  verbs:\n  - create\n"
	both := strings.NewReplacer(`""`, "events.k8s.io", "- create\n", "- create\n  - patch\n").Replace(create)
	dir := inModule(t, withSDK+strings.NewReplacer("=create;patch", "=create", "  - patch\n", "").Replace(controller))
	got := runTool(t, "-fix")
	const want = "recording/recording.go:8: this marker grants only create on Events of core/v1; a marker of its own grants " +
		"both create and patch for events.k8s.io, because a recorder patches an Event to count its repeats\n"
	if got.code != nothingLeft || !strings.Contains(got.stdout, want) {
		t.Errorf("-fix = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
	if text := moduletest.Read(t, dir, "config/rbac/role.yaml"); !strings.HasSuffix(text, "rules:\n"+create+both) {
		t.Errorf("the role becomes\n%s", text)
	}
}

// Caught: roles of other software, or markers of a program that does not record, are edited; the question never ends, or has
// a line for each role; it names a program that imports what records and does not call it, or one with a method Event.
func TestOtherRolesAreAskedFor(t *testing.T) {
	const role = "kind: Role\nmetadata:\n  name: manager\nrules:\n- apiGroups: [\"\"]\n  resources: [events]\n  verbs: [create]\n"
	const marker = "// +kubebuilder:rbac:groups=\"\",resources=events,verbs=create,namespace=other\n"
	dir := inModule(t, withSDK+controller+`-- main.go --
package main

import "example.com/m/user"

func main() { user.Start(user.Run) }
-- user/run.go --
package user

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

const Name = "user"

type runner struct{}

func (runner) Run() { Use(nil, &corev1.Pod{}) }

func Run() interface{ Run() } { return runner{} }

func Start(make func() interface{ Run() }) { make().Run() }

func Watch(client interface{ Events(string) interface{ List(context.Context) } }) {
	client.Events("").List(context.Background())
}

var started = start()

func start() bool {
	Watch(nil)
	return true
}
-- cmd/other/main.go --
package main

import "k8s.io/client-go/tools/record"

`+marker+`
var _ record.EventRecorder

func main() {}
-- cmd/name/main.go --
package main

import "example.com/m/user"

func main() { println(user.Name) }
-- cmd/bus/main.go --
package main

type bus struct{}

func (bus) Event(name string) {}

func main() { bus{}.Event("started") }
-- user/roles.go --
package user

type PolicyRule struct{ APIGroups, Resources, Verbs []string }

var roles = []PolicyRule{{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}}}
-- user/manifests.go --
package user

const manifests = `+"`"+role+"`"+`
-- chart/templates/role.yaml --
`+strings.Replace(role, "manager", `{{ include "name" . }}`, 1)+`
-- deploy/view.yaml --
`+strings.NewReplacer("manager", "viewer", "create", "list").Replace(role)+`
-- jsonnet/role.libsonnet --
{ clusterRole: { rules: [{ apiGroups: [''], resources: ['events'], verbs: ['*'] }] } }
-- deploy/others.yaml --
`+strings.Replace(role, "manager", "second", 1)+"---\n"+strings.Replace(role, "manager", "third", 1)+`
-- deploy/role.yaml --
`+role)
	got := runTool(t, "-fix")
	for _, want := range []string{
		"chart/templates/role.yaml:5: 7 roles (3 in YAML, 1 in templates, 1 in jsonnet, 1 in Go code and 1 in strings of Go code) may write Events, and " +
			"may not create and patch those of events.k8s.io: Role {{ include \"name\" . }} in chart/templates/role.yaml:5, Role second in deploy/others.yaml:5, Role third in " +
			"deploy/others.yaml:13, Role manager in deploy/role.yaml:5, clusterRole in jsonnet/role.libsonnet:1 and 2 more. Which belong to the programs that record (.)? Add the rule {apiGroups: " +
			"[events.k8s.io], resources: [events], verbs: [create, patch]}, in Go {APIGroups: []string{\"events.k8s.io\"}, Resources: []string{\"events\"}, " +
			"Verbs: []string{\"create\", \"patch\"}}, to them. eventsmigrate removes no rule for core/v1, and " +
			"eventsmigrate rbac . lists all roles, " + readMore + "\n",
		"user/run.go: the code reads Events. In those that are recorded through events.k8s.io the fields count, firstTimestamp, " +
			"lastTimestamp and source of core/v1 are empty; series, eventTime and reportingComponent are in their place, see " +
			"https://github.com/eventseries/eventseries/blob/main/docs/reading.md. It still gets all of them through core/v1. If it is to read events.k8s.io, 1 role (Role viewer " +
			"in deploy/view.yaml:5) may need the rule {apiGroups: [events.k8s.io], resources: [events], verbs: [get, list, watch]}\n",
	} {
		if got.code != somethingLeft || !strings.Contains(got.stdout, want) {
			t.Errorf("-fix = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
		}
	}
	if text := moduletest.Read(t, dir, "deploy/role.yaml"); text != role {
		t.Errorf("a role that is not named becomes\n%s", text)
	}
	if text := moduletest.Read(t, dir, "cmd/other/main.go"); !strings.Contains(text, marker) {
		t.Errorf("a marker of a program that does not record becomes\n%s", text)
	}
	if got := runTool(t); got.code != nothingLeft {
		t.Errorf("a second run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: somebody is told to give the rule to a role for leader election, by which nothing else records; a role that Go code makes
// and that may have to grant it is not named; a role that cannot be parsed is not seen.
func TestNoRoleOfTheProgram(t *testing.T) {
	const election = "-- config/leader_election.yaml --\nkind: Role\nmetadata: {name: leader-election-role}\nrules:\n" +
		"- {apiGroups: [\"\"], resources: [events], verbs: [create, patch]}\n"
	const code = "-- role.go --\npackage main\n\nfunc rules() []PolicyRule {\n" +
		"\treturn []PolicyRule{{APIGroups: []string{\"\"}, Resources: []string{\"pods\"}, Verbs: []string{\"get\"}}}\n}\n\ntype PolicyRule struct{ APIGroups, Resources, Verbs []string }\n"
	const other = "-- config/role.yaml --\nkind: Role\nmetadata: {name: manager-role}\nrules:\n" +
		"- {apiGroups: [\"\", events.k8s.io], resources: [events], verbs: [create, patch]}\n"
	const broken = "-- config/broken.yaml --\nkind: Role\n{% if x %}\n"
	const noRole = "no role here may write Events, but for leader election: the role by which . records is not in this repository, or " +
		"cannot write Events so far"
	for _, test := range []struct {
		archive, want string
		asks          bool
	}{
		{archive: election, want: noRole + "; whoever makes it must add the rule {apiGroups: "},
		{archive: election + code, want: noRole + " (the code makes func rules in role.go:4); whoever makes it must add the rule {apiGroups: "},
		{archive: election + other},
		{
			archive: election + other + broken, asks: true,
			want: "config/broken.yaml:1: this file has a role, and cannot be parsed: look at its rules yourself: ",
		},
	} {
		inModule(t, withSDK+program+worker+test.archive)
		got := runTool(t, "-fix")
		asks := strings.Contains(got.stdout, "RBAC that needs a human")
		if asks != test.asks || !strings.Contains(got.stdout, test.want) || strings.Contains(got.stdout, noRole) != strings.HasPrefix(test.want, noRole) {
			t.Errorf("-fix = %d, want %q\n%s%s", got.code, test.want, got.stdout, got.stderr)
		}
	}
}

func TestNothingIsWrittenWithoutFix(t *testing.T) {
	dir := inModule(t, withStubs+controller) // the SDK is not required: go.mod is to change too
	before := tree(t, dir)
	for _, args := range [][]string{{}, {"-diff"}, {"-diff", "-fix"}, {"-json"}} {
		if got := runTool(t, args...); got.code != somethingLeft {
			t.Errorf("%v = %d, want %d\n%s%s", args, got.code, somethingLeft, got.stdout, got.stderr)
		}
		// Caught: -fix writes although -diff is there; go list -mod=mod updates the module's own go.mod.
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("%v changed files (-before +after):\n%s", args, diff)
		}
	}
}

// Caught: paths in the diff are absolute, or the summary is in between.
func TestDiffIsWhatFixWrites(t *testing.T) {
	dir := inModule(t, withStubs+controller)
	diff := runTool(t, "-diff")
	original := tree(t, dir)
	if got := runTool(t, "-fix"); got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	fixed := tree(t, dir)
	if mod := fixed["go.mod"]; !strings.Contains(mod, "github.com/eventseries/eventseries v0.0.0\n") {
		t.Errorf("go.mod does not require the SDK:\n%s", mod)
	}
	for name, text := range original {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	applyPatch(t, dir, diff.stdout)
	if difference := cmp.Diff(fixed, tree(t, dir)); difference != "" {
		t.Errorf("the diff gives something else than -fix (-fix +diff):\n%s", difference)
	}
}

// Caught: an executable file is one no more.
func TestFixKeepsModes(t *testing.T) {
	dir := inModule(t, withSDK+controller)
	name := filepath.Join(dir, "user", "user.go")
	if err := os.Chmod(name, 0o750); err != nil {
		t.Fatal(err)
	}
	runTool(t, "-fix")
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode(); got != 0o750 {
		t.Errorf("mode of the rewritten file is %v, want %v", got, fs.FileMode(0o750))
	}
}

// Caught: nothing is said of changes that git diff shows together with the edits; the edits of the run itself are such
// changes.
const testThatReads = `
-- test/e2e/events_test.go --
//go:build e2e

package e2e

import corev1 "k8s.io/api/core/v1"

var list corev1.EventList
`

// What compiles may fail in CI.
//
// Caught: nobody says so.
func TestWhatMayFailInCI(t *testing.T) {
	inModule(t, withSDK+controller+testThatReads+`
-- .golangci.yml --
linters:
  settings:
    depguard:
      rules:
        main:
          allow: [$gostd, k8s.io/]
-- main.go --
package main

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/m/user"
)

func main() { user.Use(nil, &corev1.Pod{}) }
-- user/zz_generated.go --
// Code generated by a test. DO NOT EDIT.

package user

type client struct{}

func (client) Events(namespace string) client { return client{} }

func (client) List() {}

func init() { client{}.Events("").List() }
`)
	got := runTool(t)
	for want, is := range map[string]bool{
		"depguard allows no import of the SDK: add github.com/eventseries/eventseries to its list in .golangci.yml\n": true,
		"test/e2e/events_test.go: tests read Events, so run them. Those that are recorded":                            true,
		"zz_generated.go": false,
	} {
		if strings.Contains(got.stdout, want) != is {
			t.Errorf("run = %d, want %q: %v\n%s%s", got.code, want, is, got.stdout, got.stderr)
		}
	}
}

// Events that were recorded through tools/events have the same fields as before.
func TestTestsThatReadEventsOfToolsEvents(t *testing.T) {
	inModule(t, withSDK+onEvents+managed+testThatReads)
	got := runTool(t)
	if !strings.Contains(got.stdout, "test/e2e/events_test.go: tests read Events, so run them. There may be fewer or more") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestDirtyTreeIsNoted(t *testing.T) {
	dir := inModule(t, withSDK+controller)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "all")
	other := filepath.Join(dir, "other", "other.go")
	if err := os.WriteFile(filepath.Join(dir, "untracked"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	const note = "the working tree is not clean: git diff shows changes of 1 file together with the edits\n"
	if got := runTool(t); strings.Contains(got.stdout, "not clean") {
		t.Errorf("a clean tree: %s", got.stdout)
	}
	if err := os.WriteFile(other, []byte("package other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"-fix"}} {
		if got := runTool(t, args...); strings.Count(got.stdout, note) != 1 {
			t.Errorf("%v = %d, want once %q\n%s%s", args, got.code, note, got.stdout, got.stderr)
		}
	}
	if got := runTool(t, "-fix"); strings.Contains(got.stdout, "not clean") {
		t.Errorf("a run that changes nothing: %s", got.stdout)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.Command("git", args...)
	command.Dir = dir
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// applyPatch applies a diff as users do.
func applyPatch(t *testing.T, dir, diff string) {
	t.Helper()
	command := exec.Command("git", "apply", "--unsafe-paths", "-p1", "-")
	command.Dir = dir
	command.Stdin = strings.NewReader(diff)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s\n%s", err, out, diff)
	}
}

// Caught: help is taken for a package, is no success, or is that of another command.
func TestHelp(t *testing.T) {
	for _, c := range commands {
		got := runTool(t, "help", c.name)
		if got.code != nothingLeft || !strings.HasPrefix(got.stdout, "usage: "+c.synopsis()+"\n") {
			t.Errorf("help %s = %d\n%s%s", c.name, got.code, got.stdout, got.stderr)
		}
	}
	for _, args := range [][]string{{"-h"}, {"-help"}, {"rbac", "-h"}} {
		got := runTool(t, args...)
		if got.code != nothingLeft || !strings.HasPrefix(got.stderr, "usage: eventsmigrate ") || got.stdout != "" {
			t.Errorf("%v = %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}
