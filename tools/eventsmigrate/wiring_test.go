// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

const (
	// onEvents is a controller that records through tools/events, and its test.
	onEvents = `
-- controller/controller.go --
package controller

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

type Controller struct{ Recorder events.EventRecorder }

func (c *Controller) Reconcile(pod *corev1.Pod) {
	c.Recorder.Eventf(pod, nil, "Normal", "Created", "Reconciling", "created")
	c.Recorder.Eventf(pod, nil, "Normal", "Deleted", "", "deleted")
}
-- controller/controller_test.go --
package controller

import (
	"testing"

	"k8s.io/client-go/tools/events"
)

func TestReconcile(t *testing.T) {
	recorder := events.NewFakeRecorder(1)
	(&Controller{Recorder: recorder}).Reconcile(nil)
	recorder.Eventf(nil, nil, "Normal", "Tested", "Test", "a test does not count")
}
`
	managed = `
-- main.go --
package main

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/m/controller"
)

func main() {
	mgr, _ := ctrl.NewManager(nil, manager.Options{})
	(&controller.Controller{Recorder: mgr.GetEventRecorder("demo")}).Reconcile(nil)
	_ = mgr.Start(context.Background())
}
`
	broadcasting = `
-- main.go --
package main

import (
	"context"

	"k8s.io/client-go/tools/events"

	"example.com/m/controller"
)

func main() {
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{})
	defer broadcaster.Shutdown()
	_ = broadcaster.StartRecordingToSinkWithContext(context.Background())
	(&controller.Controller{Recorder: broadcaster.NewRecorder(nil, "demo")}).Reconcile(nil)
}
`
	clustered = `
-- main.go --
package main

import (
	"sigs.k8s.io/controller-runtime/pkg/cluster"

	"example.com/m/controller"
)

func run(c cluster.Cluster) {
	(&controller.Controller{Recorder: c.GetEventRecorder("demo")}).Reconcile(nil)
}

func main() { run(nil) }
`
	onBoth = `
-- old/old.go --
package old

import (
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
)

func Run(mgr ctrl.Manager, pod *corev1.Pod) {
	mgr.GetEventRecorderFor("old").Event(pod, "Normal", "Started", "started")
}
`
)

// A recorder of tools/events becomes the SDK's by an edit of the line that makes it. Caught: the verdict is that of a project
// on the events API; calls in tests count; types, fakes or calls are edited; -from-events edits what is of the old API.
func TestFromEvents(t *testing.T) {
	const twoCalls = "2 recording calls already use the events API; "
	for _, test := range []struct {
		name, archive string
		args          []string
		verdict       string
		changed       map[string]string // what files have that the edits change
	}{
		{
			name: "a manager", archive: onEvents + managed,
			verdict: twoCalls + "1 recorder would record through eventseries",
			changed: map[string]string{
				"main.go": "adapter.RecorderFor(mgr, \"demo\").\n\t\tWithNotePolicy(events.NotesDistinct(10))}",
			},
		},
		{
			name: "a broadcaster", archive: onEvents + broadcasting,
			verdict: twoCalls + "1 recorder would record through eventseries",
			changed: map[string]string{
				"main.go": "\t\"context\"\n\n\t\"github.com/eventseries/eventseries/clientgo/events\"\n" +
					"\teventseries \"github.com/eventseries/eventseries/events\"\n\n\t\"example.com/m/controller\"\n",
			},
		},
		{
			name: "a library", archive: onEvents,
			verdict: "already on the events API: nothing to do",
		},
		{name: "a cluster", archive: onEvents + clustered, verdict: "already on the events API: nothing to do"},
		{
			name: "both APIs", archive: onEvents + managed + onBoth,
			verdict: "1 of 1 recording call would write events.k8s.io; 2 other calls already use the events API; " +
				"1 recorder would record through eventseries",
			changed: map[string]string{
				"main.go":    `adapter.RecorderFor(mgr, "demo")`,
				"old/old.go": `Eventf(pod, nil, "Normal", "Started", "Start", "started")`,
			},
		},
		{
			name: "both APIs, from one", archive: onEvents + managed + onBoth, args: []string{"-from-events"},
			verdict: twoCalls + "1 recorder would record through eventseries; " +
				"1 call records through tools/record, which -from-events leaves: run without it",
			changed: map[string]string{"main.go": `adapter.RecorderFor(mgr, "demo")`},
		},
		{
			name: "the old API, from the other", archive: onBoth, args: []string{"-from-events"},
			verdict: "no call here records through tools/events; " +
				"1 call records through tools/record, which -from-events leaves: run without it",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := inModule(t, withSDK+test.archive)
			before := tree(t, dir)
			got := runTool(t, append(test.args, "-fix")...)
			verdict, _, _ := strings.Cut(got.stdout, "\n")
			if diff := cmp.Diff(test.verdict, verdict); diff != "" || got.code != nothingLeft {
				t.Errorf("-fix = %d, verdict (-want +got):\n%s\n%s%s", got.code, diff, got.stdout, got.stderr)
			}
			if says := strings.Contains(got.stdout, forReaders); says != (len(test.changed) > 0) {
				t.Errorf("the report says what changes for readers: %v\n%s", says, got.stdout)
			}
			for name, text := range tree(t, dir) {
				switch part := test.changed[name]; {
				case part == "" && text != before[name]:
					t.Errorf("%s changed (-before +after):\n%s", name, cmp.Diff(before[name], text))
				case !strings.Contains(text, part):
					t.Errorf("%s lacks %s:\n%s", name, part, text)
				}
			}
			moduletest.Go(t, dir, "vet", "./...")
			if again := runTool(t, append(test.args, "-fix")...); strings.Contains(again.stdout, "written") {
				t.Errorf("the second -fix writes files\n%s", again.stdout)
			}
		})
	}
}

// Caught: a program of tools/events does not require the SDK, and its edits do not compile; a method of the manager that is
// no call is not seen.
func TestFromEventsRequiresTheSDK(t *testing.T) {
	factory := strings.NewReplacer(
		`mgr.GetEventRecorder("demo")`, `make("demo")`, "(&controller", "make := mgr.GetEventRecorder\n\t(&controller")
	for name, program := range map[string]string{"a broadcaster": broadcasting, "a method value": factory.Replace(managed)} {
		dir := inModule(t, withStubs+onEvents+program)
		if got := runTool(t, "-fix", "-sdk="+moduletest.Stub("github.com/eventseries/eventseries")); got.code != nothingLeft {
			t.Fatalf("%s: -fix = %d\n%s%s", name, got.code, got.stdout, got.stderr)
		}
		if mod := moduletest.Read(t, dir, "go.mod"); !strings.Contains(mod, "require github.com/eventseries/eventseries v0.0.0\n") {
			t.Errorf("%s: go.mod does not require the SDK:\n%s", name, mod)
		}
	}
}

// Caught: go.mod has an absolute path, with which nobody else can build.
func TestCheckoutNamedByRelativePath(t *testing.T) {
	dir := inModule(t, withStubs+onEvents+broadcasting)
	checkout, err := filepath.Rel(dir, moduletest.Stub("github.com/eventseries/eventseries"))
	if err != nil {
		t.Fatal(err)
	}
	if got := runTool(t, "-fix", "-sdk="+checkout); got.code != nothingLeft {
		t.Fatalf("-fix = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if mod := moduletest.Read(t, dir, "go.mod"); !strings.Contains(mod, "eventseries => "+filepath.ToSlash(checkout)+"\n") {
		t.Errorf("go.mod does not have %s:\n%s", checkout, mod)
	}
	moduletest.Go(t, dir, "vet", "./...")
}

// Caught: a file that makes a recorder of tools/events stays as it is, and nothing says so, because it is behind a tag.
func TestFromEventsBehindTags(t *testing.T) {
	tagged := strings.Replace(managed, "package main", "//go:build e2e\n\npackage main", 1)
	for _, args := range [][]string{nil, {"-from-events"}} {
		dir := inModule(t, withSDK+onEvents+tagged)
		got := runTool(t, append(args, "-fix")...)
		if !strings.Contains(got.stdout, "looked at the build with -tags=e2e, too: files with recorders are in no other\n") {
			t.Errorf("%v = %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		if text := moduletest.Read(t, dir, "main.go"); !strings.Contains(text, `adapter.RecorderFor(mgr, "demo")`) {
			t.Errorf("%v: main.go becomes\n%s", args, text)
		}
	}
}

// Caught: nothing is to do, although no call goes through the SDK, because another module makes the recorders.
func TestRecordersThatAnotherModuleMakes(t *testing.T) {
	toolkit := strings.NewReplacer("go.mod", "../toolkit/go.mod", "example.com/m", "example.com/toolkit").Replace(withStubs)
	inModule(t, withSDK+"\nrequire example.com/toolkit v0.0.0\n\nreplace example.com/toolkit => ../toolkit\n"+toolkit+onEvents+`
-- ../toolkit/recorders/recorders.go --
package recorders

import "k8s.io/client-go/tools/events"

func New(name string) (events.EventRecorder, error) { return events.NewBroadcaster(nil).NewRecorder(nil, name), nil }
-- main.go --
package main

import (
	"example.com/m/controller"
	"example.com/toolkit/recorders"
)

func main() {
	recorder, _ := recorders.New("demo")
	(&controller.Controller{Recorder: recorder}).Reconcile(nil)
}
-- main_test.go --
package main

import "example.com/toolkit/recorders"

var inTest, _ = recorders.New("test")
`)
	const want = "already on the events API; 1 recorder is made by example.com/toolkit/recorders, and records through client-go\n\n" +
		"Needs a human:\n  main.go:9:17: example.com/toolkit/recorders makes this recorder, which records through client-go: make it " +
		"here, if its Events are to go through eventseries\n"
	if got := runTool(t); got.code != somethingLeft || !strings.HasPrefix(got.stdout, want) {
		t.Errorf("run = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
	if got := runTool(t, "-target=client-go"); got.code != nothingLeft {
		t.Errorf("-target=client-go = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
