// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

func TestCannotRun(t *testing.T) {
	withoutSDK := strings.Replace(withStubs, "require stubs", "", 1) + "-- a/a.go --\n" +
		"package a\n\nimport \"k8s.io/client-go/tools/record\"\n\nvar _ record.EventRecorder\n"
	for _, test := range []struct {
		name    string
		archive string
		args    []string
		want    string
	}{
		{"outside of a module", "-- README --\n", nil, "no go.mod in"},
		{
			// Caught: what is misspelled counts as migrated.
			"a pattern that matches nothing", withSDK + controller, []string{"./recording", "./nosuch/..."},
			"no package of the main modules matches ./nosuch/...",
		},
		{
			"a directory that does not exist", withSDK + controller, []string{"./nosuch"},
			"no package of the main modules matches ./nosuch",
		},
		{"packages of others", withSDK + controller, []string{"fmt"}, "no package of the main modules matches fmt"},
		{
			"a file", withSDK + controller, []string{"user/nosuch.go"},
			"user/nosuch.go is not a package: name its directory, such as ./user",
		},
		{"a command behind its flags", withStubs, []string{"-fix", "lint"}, "lint is a command, and stands before its flags"},
		{
			// Caught: the packages are loaded before one of that name is missed.
			"a flag behind the packages", withStubs, []string{"./...", "-diff"}, "eventsmigrate: flags stand before the packages: -diff\n",
		},
		{"a flag behind manifests", withStubs, []string{"rbac", "-", "-fix"}, "eventsmigrate: flags stand before the manifests: -fix\n"},
		{"no command", withStubs, []string{"help", "nosuch"}, `unknown command "nosuch"`},
		{
			"from what is the target", withStubs, []string{"-from-events", "-target=client-go"},
			"-from-events needs -target=sdk",
		},
		{"an unknown target", withStubs, []string{"-target=all"}, `unknown target "all": it is one of`},
		{
			"a broken map of actions", withStubs + "-- actions --\n# why\nScaled: Scale\nScaled\n",
			[]string{"-actions=actions"}, `actions:3: "Scaled" is not of the form "Reason: Action"`,
		},
		{
			// Caught: a directory is taken for a version.
			"no such checkout", withStubs, []string{"-sdk=/nonexistent"}, "-sdk: the directory /nonexistent does not exist\n",
		},
		{
			"another checkout", withStubs, []string{"-sdk=."},
			"-sdk: the directory . is no checkout of github.com/eventseries/eventseries",
		},
		{"no such version", withoutSDK, []string{"-sdk=newest"}, "find version newest of the SDK: "},
		{
			"two actions for a reason", withStubs + "-- actions --\nA: B\nA: C\n",
			[]string{"-actions=actions"}, "actions:2: reason A has two actions, B and C",
		},
		{
			// Caught: a module that cannot be downloaded is code that does not compile.
			"a module that is not there", requiring("example.com/absent v1.0.0") +
				controller + "-- go.sum --\n" + checksum("example.com/absent v1.0.0") + "-- user/absent.go --\n" +
				"package user\n\nimport _ \"example.com/absent\"\n",
			nil, "cannot download what the packages import:\n  example.com/absent: module lookup disabled by GOPROXY=off",
		},
		{
			"no release of the SDK to require", withoutSDK, nil,
			"go.mod does not require the SDK: run go get github.com/eventseries/eventseries@<version> first",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, test.archive)
			got := runTool(t, test.args...)
			if got.code != couldNotRun || !strings.Contains(got.stderr, test.want) || got.stdout != "" {
				t.Errorf("run = %d, want %d and %q\n%s%s", got.code, couldNotRun, test.want, got.stdout, got.stderr)
			}
		})
	}
}

// requiring is a go.mod that requires another module, too.
func requiring(module string) string {
	return strings.Replace(withStubs, "require stubs", "require stubs\nrequire "+module, 1)
}

// checksum has lines of a go.sum that fit nothing.
func checksum(module string) string {
	const hash = " h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
	return module + hash + module + "/go.mod" + hash
}

func TestVersion(t *testing.T) {
	got := runTool(t, "-version")
	if got.code != nothingLeft || !strings.HasPrefix(got.stdout, "eventsmigrate ") || got.stderr != "" {
		t.Errorf("-version = %d, want the version\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// reasons is a module with reasons that tell what was attempted, and with others.
const reasons = withSDK + `-- a/a.go --
package a

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Create(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "SecretSynced", "done")
	r.Event(pod, "Warning", "Degraded", "bad")
	r.Event(pod, "Warning", "Full", "failed to add a node")
	r.Event(pod, "Warning", "Full", "failed to add a volume")
}
-- b/b.go --
package b

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Observe(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Normal", "SecretSynced", "done")
	r.Event(pod, "Warning", "Degraded", "bad")
	r.Event(pod, "Warning", "Lost", "bad")
}
`

// Caught: a line of the report for each of these reasons; edits beside the question; a reason that is given and still
// asked for; a file that is written again.
func TestActions(t *testing.T) {
	golden, err := filepath.Abs("testdata/actions.txt")
	if err != nil {
		t.Fatal(err)
	}
	dir := inModule(t, reasons)
	if got := runTool(t); got.code != somethingLeft || !strings.Contains(got.stdout,
		"\n  3 actions are only guesses: run with -actions=actions.txt to decide them\n"+
			"    a/a.go:10: Degraded -> Create\n    b/b.go:10: Degraded -> Sync\n    b/b.go:11: Lost -> Sync\n") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	before := tree(t, dir)
	const asked = "actions.txt has the actions of 4 reasons, and 2 are guesses: edit it, then run the same command again\n" +
		"\nNothing else was written.\n"
	if got := runTool(t, "-fix", "-actions=actions.txt"); got.code != somethingLeft || got.stdout != asked {
		t.Errorf("-fix without the file = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	after := tree(t, dir)
	_, lines, _ := strings.Cut(after["actions.txt"], "\n\n")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), lines); diff != "" {
		t.Errorf("actions.txt (-want +got):\n%s", diff)
	}
	delete(after, "actions.txt")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("asking for actions changed other files (-before +after):\n%s", diff)
	}

	decided := strings.Replace(lines, "Lost: Sync", "Lost:Probe", 1)
	decided = strings.Replace(decided, "Full: *", "Full: Grow", 1)
	if err := os.WriteFile("actions.txt", []byte(decided), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := runTool(t, "-fix", "-actions=actions.txt"); got.code != nothingLeft || strings.Contains(got.stdout, "guess") {
		t.Errorf("-fix with the file = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, want := range []struct{ file, text string }{
		{"a/a.go", `"SecretSynced", "SyncSecret", "done"`},
		{"a/a.go", `"Degraded", "Create", "bad"`},
		{"a/a.go", `"Full", "Grow", "failed to add a node"`},
		{"b/b.go", `"Degraded", "Sync", "bad"`},
		{"b/b.go", `"Lost", "Probe", "bad"`},
	} {
		if text := moduletest.Read(t, dir, want.file); !strings.Contains(text, want.text) {
			t.Errorf("%s lacks %s:\n%s", want.file, want.text, text)
		}
	}
	if text := moduletest.Read(t, dir, "actions.txt"); text != decided {
		t.Errorf("the file of actions becomes\n%s", text)
	}
}

// Caught: a call whose action is certain is named as the guess, because it is the first one with that action.
func TestGuessIsNamedWithItsCall(t *testing.T) {
	inModule(t, withSDK+`-- a.go --
package a

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func A(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Warning", "Degraded", "failed to create the volume")
}

func CreateVolume(r record.EventRecorder, pod *corev1.Pod) {
	r.Event(pod, "Warning", "Degraded", "bad")
}
`)
	got := runTool(t)
	if want := "\n    a.go:13: Degraded -> CreateVolume\n"; !strings.Contains(got.stdout, want) || strings.Contains(got.stdout, "a.go:9") {
		t.Errorf("run lacks %q\n%s%s", want, got.stdout, got.stderr)
	}
}

// Caught: nobody can give the action of a reason that is not a constant.
func TestActionOfFunction(t *testing.T) {
	dir := inModule(t, withSDK+`-- a.go --
package a

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type Recorder struct{ record.EventRecorder }

func (r Recorder) Warn(pod *corev1.Pod, reason string) {
	r.Event(pod, "Warning", reason, "bad")
}
`)
	if got := runTool(t); !strings.Contains(got.stdout, "\n    a.go:11: Recorder.Warn() -> Sync\n") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if err := os.WriteFile("actions.txt", []byte("Recorder.Warn(): Probe # a.go:11\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	runTool(t, "-fix", "-force", "-actions=actions.txt")
	if text := moduletest.Read(t, dir, "a.go"); !strings.Contains(text, `reason, "Probe", "bad"`) {
		t.Errorf("the action of the file is not in the call:\n%s", text)
	}
}

// Caught: reasons that were added to the code after the file was made are not asked for.
func TestActionsThatTheFileLacks(t *testing.T) {
	inModule(t, reasons+"-- actions.txt --\n# of pods\n\nDegraded: Probe # b/b.go\n")
	const want = "\n  1 action is only a guess: add it to actions.txt\n    b/b.go:11: Lost -> Sync\n"
	if got := runTool(t, "-actions=actions.txt"); !strings.Contains(got.stdout, want) {
		t.Errorf("run lacks %q\n%s%s", want, got.stdout, got.stderr)
	}
	got := runTool(t, "-json", "-actions=actions.txt")
	var document struct{ Actions []report.Action }
	if err := json.Unmarshal([]byte(got.stdout), &document); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]report.Action{
		{Reason: "Degraded", Action: "Probe", File: "a/a.go", Line: 10},
		{Reason: "Full", Action: "AddNode", File: "a/a.go", Line: 11},
		{Reason: "Full", Action: "AddVolume", File: "a/a.go", Line: 12},
		{Reason: "Lost", Action: "Sync", Guess: true, File: "b/b.go", Line: 11},
		{Reason: "SecretSynced", Action: "SyncSecret", File: "a/a.go", Line: 9},
	}, document.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// Caught: the packages that are not named count as migrated; calls on their recorders are rewritten, and do not
// compile.
func TestSomePackagesOnly(t *testing.T) {
	for _, pattern := range []string{"./recording", "./user"} {
		t.Run(pattern, func(t *testing.T) {
			dir := inModule(t, withSDK+controller)
			got := runTool(t, "-fix", pattern)
			if got.code == couldNotRun {
				t.Fatal(got.stderr)
			}
			moduletest.Go(t, dir, "vet", "./...")
			other := map[string]string{"./recording": "user/user.go", "./user": "recording/recording.go"}[pattern]
			if text := moduletest.Read(t, dir, other); strings.Contains(text, "nil, corev1") {
				t.Errorf("%s is rewritten, and was not named:\n%s", other, text)
			}
		})
	}
}

// Caught: the second build is not looked at, and its file no longer compiles; it is looked at only where -tags names it.
func TestTwoBuilds(t *testing.T) {
	for _, args := range [][]string{{"-fix"}, {"-fix", "-tags=", "-tags=trace"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) { twoBuilds(t, args) })
	}
}

// Caught: the SDK is imported in the project's own group, because that is on github.com, too; the name of the import in
// production code comes from a variable in a test.
func TestImportsAreThoseOfOtherModules(t *testing.T) {
	dir := inModule(t, strings.Replace(withSDK, "example.com/m", "github.com/example/m", 1)+`
-- plain/plain.go --
package plain

const Created = "Created"
-- a/a.go --
package a

import (
	"k8s.io/client-go/tools/record"

	"github.com/example/m/plain"
)

func Record(recorder record.EventRecorder) { recorder.Event(nil, "Normal", plain.Created, "created") }
-- a/a_test.go --
package a

import "k8s.io/client-go/tools/record"

func recorded() []string {
	recorder := record.NewFakeRecorder(1)
	Record(recorder)
	events := []string{<-recorder.Events}
	return events
}

var _ record.EventRecorder = &record.FakeRecorder{}
`)
	if got := runTool(t, "-fix"); got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	moduletest.Go(t, dir, "vet", "./...")
	const want = `package a

import (
	"github.com/eventseries/eventseries/events"

	"github.com/example/m/plain"
)

func Record(recorder events.EventRecorder) {`
	if diff := cmp.Diff(want, moduletest.Read(t, dir, "a/a.go")[:len(want)]); diff != "" {
		t.Errorf("a.go (-want +got):\n%s", diff)
	}
}

// Caught: the scheme of a recorder that another package makes is not looked at, and the SDK leaves the Pod out, with a
// log line about the call.
func TestRelatedIsOfTheSchemeOfAnotherPackage(t *testing.T) {
	dir := inModule(t, withSDK+`
-- sync/sync.go --
package sync

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/tools/record"
)

func Role(recorder record.EventRecorder, role *rbacv1.Role, binding *rbacv1.RoleBinding, pod *corev1.Pod) {
	recorder.Eventf(role, "Normal", "Bound", "by %s", binding.Name)
	recorder.Eventf(role, "Normal", "Bound", "for %s", pod.Name)
}
-- main.go --
package main

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"example.com/m/sync"
)

func main() {
	scheme := runtime.NewScheme()
	_ = rbacv1.AddToScheme(scheme)
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(nil)
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme, corev1.EventSource{})
	sync.Role(recorder, nil, nil, nil)
}
`)
	if got := runTool(t, "-fix"); got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	text := moduletest.Read(t, dir, "sync/sync.go")
	for _, want := range []string{"Eventf(role, binding, ", "Eventf(role, nil, "} {
		if !strings.Contains(text, want) {
			t.Errorf("sync.go lacks %q:\n%s", want, text)
		}
	}
}

// Caught: a method that only another package calls is removed, and the file is withdrawn.
func TestPlaceholderThatAnotherPackageCalls(t *testing.T) {
	dir := inModule(t, withSDK+`
-- null/null.go --
package null

import "k8s.io/apimachinery/pkg/runtime"

type Called struct{}

func (Called) Event(runtime.Object, string, string, string) {}

func (Called) Eventf(runtime.Object, string, string, string, ...any) {}

type Placeholder struct{}

func (Placeholder) Event(runtime.Object, string, string, string) {}

func (Placeholder) Eventf(runtime.Object, string, string, string, ...any) {}
-- main.go --
package main

import (
	"k8s.io/client-go/tools/record"

	"example.com/m/null"
)

var _ record.EventRecorder

func main() { null.Called{}.Event(nil, "", "", "") }
`)
	if got := runTool(t, "-fix", "-force"); got.code == couldNotRun {
		t.Fatal(got.stderr)
	}
	text := moduletest.Read(t, dir, "null/null.go")
	if !strings.Contains(text, "func (Called) Event(") || strings.Contains(text, "func (Placeholder) Event(") {
		t.Errorf("null.go:\n%s", text)
	}
	moduletest.Go(t, dir, "vet", "./...")
}

// Caught: RecorderFor asks a stub that only has GetEventRecorderFor for a configuration, and the test sees no Event.
// The stub and the test are in other packages than the code.
func TestManagerOfATestIsAStub(t *testing.T) {
	dir := inModule(t, withSDK+`
-- controller/controller.go --
package controller

import (
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Controller struct{ Recorder record.EventRecorder }

func New(mgr ctrl.Manager) *Controller { return newController(mgr) }

func newController(mgr ctrl.Manager) *Controller {
	return &Controller{Recorder: mgr.GetEventRecorderFor("controller")}
}

func Untested(mgr ctrl.Manager) *Controller { return &Controller{Recorder: mgr.GetEventRecorderFor("untested")} }
-- controller/controller_test.go --
package controller_test

import (
	"testing"

	"example.com/m/controller"
	"example.com/m/testutil"
)

func TestNew(t *testing.T) { controller.New(testutil.NewManager()) }
-- testutil/manager.go --
package testutil

import (
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
)

type fakeManager struct {
	ctrl.Manager
	recorder record.EventRecorder
}

func (f fakeManager) GetEventRecorderFor(string) record.EventRecorder { return f.recorder }

func NewManager() ctrl.Manager { return fakeManager{recorder: record.NewFakeRecorder(1)} }
`)
	for _, run := range []string{"first", "second"} {
		got := runTool(t, "-fix", "-force")
		const want = "this recorder still writes core/v1: a test (controller_test.go:10) passes a mock or a stub of the manager"
		if got.code != somethingLeft || strings.Count(got.stdout, want) != 1 {
			t.Errorf("the %s run = %d, want once %q\n%s%s", run, got.code, want, got.stdout, got.stderr)
		}
	}
	text := moduletest.Read(t, dir, "controller/controller.go")
	for _, want := range []string{
		`Recorder: legacy.FromLegacy(mgr.GetEventRecorderFor("controller"))`, `Recorder: adapter.RecorderFor(mgr, "untested")`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("controller.go lacks %q:\n%s", want, text)
		}
	}
	moduletest.Go(t, dir, "vet", "./...")
}

func twoBuilds(t *testing.T, args []string) {
	dir := inModule(t, withSDK+`
-- a/a.go --
package a

import "k8s.io/client-go/tools/record"

func Record(recorder record.EventRecorder) { trace(recorder) }
-- a/off.go --
//go:build !trace

package a

import "k8s.io/client-go/tools/record"

func trace(record.EventRecorder) {}
-- a/on.go --
//go:build trace

package a

import "k8s.io/client-go/tools/record"

func trace(recorder record.EventRecorder) { recorder.Event(nil, "Normal", "Traced", "traced") }
`)
	if got := runTool(t, args...); got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	moduletest.Go(t, dir, "vet", "./...")
	moduletest.Go(t, dir, "vet", "-tags=trace", "./...")
}

// Caught: a module that is built with the rewritten code stops compiling; one that is not built with it is edited; a go.work
// stays behind; only one go.mod requires the SDK; replace directives that differ end the run; a module that this one is built
// with stays old.
func TestModulesOfTheRepository(t *testing.T) {
	const replace = "\nrequire example.com/m v0.0.0\n\nreplace example.com/m => ../../\n" +
		"\nreplace example.com/differs => ../differs\n"
	program := strings.NewReplacer("go.mod", "cmd/tool/go.mod", "example.com/m", "example.com/tool").Replace(withStubs)
	library := strings.NewReplacer("go.mod", "api/go.mod", "example.com/m", "example.com/api").Replace(withStubs)
	const replaces = "\nreplace example.com/differs => ./elsewhere\n\nreplace example.com/api => ./api\n"
	dir := inModule(t, withStubs+replaces+controller+program+replace+library+`
-- api/api.go --
package api

import "k8s.io/client-go/tools/record"

type Options struct{ Recorder record.EventRecorder }
-- cmd/tool/main.go --
package main

import "example.com/m/recording"

func main() {
	r := recording.Recording{}
	r.Recorder.Event(nil, "Normal", "Started", "started")
}
-- cmd/tool/main_test.go --
package main

import "k8s.io/client-go/tools/record"

var _ = record.NewFakeRecorder(1)
-- cmd/other/go.mod --
module example.com/other

go 1.25.0

replace example.com/m => ../../../elsewhere
-- cmd/other/main.go --
package main

import _ "k8s.io/client-go/tools/record"
`)
	got := runTool(t, "-fix", "./...")
	if got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, module := range []string{".", "cmd/tool", "api"} {
		moduletest.Go(t, filepath.Join(dir, module), "vet", "./...")
		if mod := moduletest.Read(t, dir, module, "go.mod"); !strings.Contains(mod, "github.com/eventseries/eventseries v0.0.0\n") {
			t.Errorf("%s does not require the SDK:\n%s", module, mod)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
		t.Error("there is a go.work")
	}
	if text := moduletest.Read(t, dir, "cmd/other/main.go"); !strings.Contains(text, "tools/record") {
		t.Errorf("a module that is not built with this one is edited:\n%s", text)
	}
}

// Caught: a project that records through tools/events is edited for what is left of the old API, without a word.
func TestAlreadyOnTheEventsAPI(t *testing.T) {
	inModule(t, withSDK+`
-- main.go --
package main

import (
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

type wrapper struct{ record.EventRecorder }

func main() {
	_ = events.NewBroadcaster(nil)
}
`)
	got := runTool(t, "-fix", "-target=client-go")
	const verdict = "only types change: no call here records an Event through the old API\n"
	if got.code != somethingLeft || !strings.HasPrefix(got.stdout, verdict) || !strings.Contains(got.stdout, "Nothing written") {
		t.Errorf("-fix = %d, want first %q\n%s%s", got.code, verdict, got.stdout, got.stderr)
	}
}

// Caught: there is no verdict.
func TestRecorderThatRecordsNothing(t *testing.T) {
	inModule(t, withSDK+`
-- main.go --
package main

import "k8s.io/client-go/tools/record"

func main() {
	_ = record.NewBroadcaster()
}
`)
	if got := runTool(t); !strings.HasPrefix(got.stdout, "no call here records an Event") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: a call of a function of C, which has no type, ends the run with a panic.
func TestPackageThatCallsC(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1")
	inModule(t, withSDK+`
-- device/device.go --
package device

// int count(void);
import "C"

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Report(recorder record.EventRecorder, pod *corev1.Pod) {
	recorder.Eventf(pod, corev1.EventTypeNormal, "Counted", "Counted %d devices", C.count())
}
`)
	if got := runTool(t, "-force", "-diff"); !strings.Contains(got.stdout, "recorder events.EventRecorder") {
		t.Errorf("run = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: what another module's recorder records counts as migrated; the second run says nothing of it; a broadcaster in
// code that its generator will write again counts as one of the new API.
func TestRecorderOfAnotherModule(t *testing.T) {
	toolkit := strings.NewReplacer("go.mod", "../toolkit/go.mod", "example.com/m", "example.com/toolkit").Replace(withStubs)
	inModule(t, withSDK+"\nrequire example.com/toolkit v0.0.0\n\nreplace example.com/toolkit => ../toolkit\n"+toolkit+`
-- ../toolkit/toolkit.go --
package toolkit

import "k8s.io/client-go/tools/record"

type Recorder struct{ record.EventRecorder }

func New() (*Recorder, error) { return &Recorder{}, nil }

func Interface() record.EventRecorder { return nil }
-- injection/injection.go --
// Code generated by a test. DO NOT EDIT.

package injection

import "k8s.io/client-go/tools/record"

func Broadcaster() record.EventBroadcaster { return record.NewBroadcaster() }
-- reconciler/reconciler.go --
package reconciler

import "k8s.io/client-go/tools/record"

type Reconciler struct{ Recorder record.EventRecorder }
-- main.go --
package main

import (
	"example.com/m/reconciler"
	"example.com/toolkit"
)

func main() {
	recorder, err := toolkit.New()
	if err != nil {
		panic(err)
	}
	other := toolkit.Interface()
	for _, r := range []reconciler.Reconciler{{Recorder: recorder}, {Recorder: other}} {
		r.Recorder.Event(nil, "Normal", "Started", "started")
	}
}
`)
	// Caught: -fix writes what nobody who reads Events would notice.
	got := runTool(t, "-fix")
	const verdict = "0 of 1 recording call would write events.k8s.io: example.com/toolkit must move first\n"
	if got.code != somethingLeft || !strings.HasPrefix(got.stdout, verdict) || !strings.Contains(got.stdout, "Nothing written") {
		t.Errorf("-fix = %d, want first %q\n%s%s", got.code, verdict, got.stdout, got.stderr)
	}
	for _, run := range []string{"first", "second"} {
		got := runTool(t, "-fix", "-force")
		const want = "  still records through core/v1: example.com/toolkit must move first:\n    main.go:1"
		if got.code != somethingLeft || strings.Count(got.stdout, "core/v1") != 1 || !strings.Contains(got.stdout, want) {
			t.Errorf("the %s run = %d, want once %q\n%s%s", run, got.code, want, got.stdout, got.stderr)
		}
	}
}

// Caught: nothing is said of a module for tests that is built with this one by a go.work of CI only.
func TestModuleThatIsBuiltWithAnotherVersion(t *testing.T) {
	const note = "nothing is edited in internal/tests: code there uses recorders and requires a module of this run"
	tests := strings.NewReplacer("go.mod", "internal/tests/go.mod", "example.com/m", "example.com/tests").Replace(withStubs)
	const user = "-- internal/tests/env.go --\npackage tests\n\nimport _ \"k8s.io/client-go/tools/record\"\n"
	for _, test := range []struct {
		name, require string
		want          bool
	}{
		{"requires this one", "require example.com/m v1.0.0\n", true},
		{"has nothing to do with this one", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, withSDK+controller+tests+test.require+user)
			got := runTool(t)
			if strings.Contains(got.stdout, note) != test.want {
				t.Errorf("run = %d, want the note: %t\n%s%s", got.code, test.want, got.stdout, got.stderr)
			}
		})
	}
}

// Caught: only the first module of a workspace is loaded.
func TestWorkspace(t *testing.T) {
	library := strings.ReplaceAll(withSDK, "go.mod", "library/go.mod")
	program := strings.NewReplacer("go.mod", "program/go.mod", "example.com/m", "example.com/p").Replace(withSDK)
	dir := inModule(t, "-- go.work --\ngo 1.25.0\n\nuse (\n\t./library\n\t./program\n)\n"+library+program+`
-- library/library.go --
package library

import "k8s.io/client-go/tools/record"

type Library struct{ Recorder record.EventRecorder }
-- program/main.go --
package main

import "example.com/m"

func main() {
	m := library.Library{}
	m.Recorder.Event(nil, "Normal", "Started", "started")
}
`)
	got := runTool(t, "-fix", "./...")
	if got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	moduletest.Go(t, dir, "vet", "./library/...", "./program/...")
	for file, want := range map[string]string{
		"library/library.go": "events.EventRecorder", "program/main.go": `m.Recorder.Eventf(nil, nil, "Normal", "Started"`,
	} {
		if text := moduletest.Read(t, dir, file); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", file, want, text)
		}
	}
}

// Caught: somebody has to tidy a module that the edits do not touch, or does not tidy one that requires the edited one.
func TestModulesToTidy(t *testing.T) {
	module := func(dir, path string) string {
		return strings.NewReplacer("go.mod", dir+"/go.mod", "example.com/m", path).Replace(withStubs)
	}
	inModule(t, "-- go.work --\ngo 1.25.0\n\nuse (\n\t./library\n\t./other\n\t./program\n)\n"+module("library", "example.com/m")+
		`-- library/library.go --
package library

import "k8s.io/client-go/tools/record"

type Library struct{ Recorder record.EventRecorder }

func (l Library) Record() { l.Recorder.Event(nil, "Normal", "Started", "started") }
`+module("other", "example.com/other")+"-- other/other.go --\npackage other\n"+module("program", "example.com/p")+`
require example.com/m v0.0.0

replace example.com/m => ../library
-- program/main.go --
package main

import "example.com/m"

func main() { library.Library{}.Record() }
`)
	const want = "  go.mod requires the SDK: run go mod tidy afterwards, in library, program\n"
	if got := runTool(t); !strings.Contains(got.stdout, want) {
		t.Errorf("run lacks %q\n%s%s", want, got.stdout, got.stderr)
	}
}

// Caught: the SDK is looked for in the vendor directory, and everything is withdrawn.
func TestVendor(t *testing.T) {
	dir := inModule(t, withStubs+controller)
	moduletest.Go(t, dir, "mod", "tidy")
	moduletest.Go(t, dir, "mod", "vendor")
	// Caught: tools/events is looked for in the vendor directory, which has no more than what is imported today.
	if got := runTool(t, "-target=client-go"); strings.Contains(got.stdout, "withdrawn") {
		t.Errorf("-target=client-go = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got := runTool(t, "-fix")
	if got.code != nothingLeft || !strings.Contains(got.stdout, "run go mod vendor") {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	moduletest.Go(t, dir, "mod", "vendor")
	moduletest.Go(t, dir, "vet", "./...")
}

// vendorPrivate makes the vendor directory of a module that requires example.com/private, which only it has afterwards.
func vendorPrivate(t *testing.T, dir string) {
	t.Helper()
	moduletest.Go(t, dir, "mod", "edit", "-replace=example.com/private=./private")
	moduletest.Go(t, dir, "mod", "tidy")
	moduletest.Go(t, dir, "mod", "vendor")
	moduletest.Go(t, dir, "mod", "edit", "-dropreplace=example.com/private")
	name := filepath.Join(dir, "vendor", "modules.txt")
	modules := moduletest.Read(t, name)
	modules = strings.Replace(modules, "# example.com/private v1.0.0 => ./private\n", "# example.com/private v1.0.0\n", 1)
	modules = strings.Replace(modules, "# example.com/private => ./private\n", "", 1)
	if err := os.WriteFile(name, []byte(modules), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Caught: what builds with its vendor directory, and without a network, does not compile, because the modules are
// looked for elsewhere.
func TestVendorHasWhatNobodyCanDownload(t *testing.T) {
	dir := inModule(t, requiring("example.com/private v1.0.0")+`
-- a/a.go --
package a

import (
	"example.com/private"
	"k8s.io/client-go/tools/record"
)

func Record(recorder record.EventRecorder) { recorder.Event(nil, "Normal", "Started", private.Name) }
-- private/go.mod --
module example.com/private
-- private/private.go --
package private

const Name = "private"
`)
	vendorPrivate(t, dir)
	moduletest.Go(t, dir, "vet", "./...")
	got := runTool(t, "-fix")
	if !strings.HasPrefix(got.stdout, "1 of 1 recording call") || !strings.Contains(got.stdout, "Files written: 2.") {
		t.Errorf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: each package of a vendor directory that lacks files is a line for a human, and so is what follows from it.
func TestVendorThatLacksFiles(t *testing.T) {
	const broken = `

import "k8s.io/client-go/tools/record"

var Recorder record.EventRecorder

const Name = missing
`
	dir := inModule(t, requiring("example.com/private v1.0.0")+`
-- a/a.go --
package a

import (
	"example.com/private"
	"example.com/private/second"
)

func Record() { private.Recorder.Event(nil, "Normal", "Started", second.Name+second.Other) }
-- private/go.mod --
module example.com/private
-- private/private.go --
package private`+broken+`-- private/missing.go --
package private

const missing = "a"
-- private/second/second.go --
package second`+strings.ReplaceAll(broken, "missing", "absent")+`-- private/second/missing.go --
package second

const (
	absent = "b"
	Other  = "c"
)
`)
	vendorPrivate(t, dir)
	for _, name := range []string{"missing.go", "second/missing.go"} {
		if err := os.Remove(filepath.Join(dir, "vendor/example.com/private", name)); err != nil {
			t.Fatal(err)
		}
	}
	const want = `
Needs a human:
  vendor/example.com/private/private.go:7:14: 3 packages do not compile, most likely because the vendor directory lacks files: ` +
		`run go mod vendor, or go work vendor in a workspace, and then eventsmigrate again. ` +
		`The first one did not compile before, and is left as it is: undefined: missing
`
	if got := runTool(t); !strings.HasSuffix(got.stdout, want) {
		t.Errorf("run lacks %q\n%s%s", want, got.stdout, got.stderr)
	}
}

// Caught: go.mod has the version that was asked for in words, such as latest.
func TestRequiresRelease(t *testing.T) {
	dir := inModule(t, withStubs+controller)
	withoutStubOfSDK(t, dir)
	proxy := publish(t, moduletest.Stub("github.com/eventseries/eventseries"), "v0.9.0")
	t.Setenv("GOPROXY", "file://"+proxy)
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", filepath.Join(proxy, "cache"))
	t.Setenv("GOFLAGS", "-modcacherw")

	got := runTool(t, "-fix", "-sdk=latest")
	if got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if mod := moduletest.Read(t, dir, "go.mod"); !strings.Contains(mod, "eventseries v0.9.0\n") {
		t.Errorf("go.mod does not require v0.9.0:\n%s", mod)
	}
	moduletest.Go(t, dir, "mod", "tidy")
	moduletest.Go(t, dir, "vet", "./...")
}

// withoutStubOfSDK leaves a module without what stands for the SDK.
func withoutStubOfSDK(t *testing.T, dir string) {
	t.Helper()
	mod := moduletest.Read(t, dir, "go.mod")
	var kept []string
	for line := range strings.Lines(mod) {
		if !strings.HasPrefix(line, "replace github.com/eventseries") {
			kept = append(kept, line)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(strings.Join(kept, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// publish makes a module proxy of a directory that serves one version of the SDK.
func publish(t *testing.T, from, version string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "github.com", "eventseries", "eventseries", "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	writer := zip.NewWriter(archive)
	for name, text := range tree(t, from) {
		file, err := writer.Create("github.com/eventseries/eventseries@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		version + ".mod": moduletest.Read(t, from, "go.mod"), "list": version + "\n",
		version + ".info": fmt.Sprintf(`{"Version": %q}`, version),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Caught: in a workspace the go command wants the go.mod of modules from which nothing is imported, and finds packages in
// two of them.
func TestModulesThatNothingImportsAreNotLoaded(t *testing.T) {
	inModule(t, `
-- go.mod --
module github.com/example/m

go 1.25.0

require stubs
require github.com/example/used v1.0.0

replace github.com/example/used => ./used
-- used/go.mod --
module github.com/example/used

go 1.16

require github.com/example/missing v1.0.0
-- used/used.go --
package used
-- m.go --
package m

import (
	_ "github.com/example/used"
	"k8s.io/client-go/tools/record"
)

func Record(recorder record.EventRecorder) { recorder.Event(nil, "Normal", "Created", "created") }
-- tool/go.mod --
module github.com/example/tool

go 1.25.0

require stubs
require github.com/example/m v0.0.0
require github.com/example/used v1.0.0 // indirect

replace github.com/example/m => ../
replace github.com/example/used => ../used
-- tool/tool.go --
package main

import (
	"github.com/example/m"
	"k8s.io/client-go/tools/record"
)

func main() {
	var recorder record.EventRecorder
	recorder.Event(nil, "Normal", "Started", "started")
	m.Record(recorder)
}
`)
	const want = "2 of 2 recording calls"
	if got := runTool(t, "-sdk", moduletest.Stub("github.com/eventseries/eventseries")); !strings.HasPrefix(got.stdout, want) {
		t.Errorf("run = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
}
