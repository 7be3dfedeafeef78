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
	worker = `
-- worker/worker.go --
package worker

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func Work(recorder record.EventRecorder, pod *corev1.Pod) {
	recorder.Event(pod, "Normal", "Worked", "work is done")
}
`
	program = `
-- main.go --
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"example.com/m/worker"
)

func main() {
	worker.Work(start(record.NewBroadcaster()), nil)
}

func start(broadcaster record.EventBroadcaster) record.EventRecorder {
	broadcaster.StartRecordingToSink(nil)
	return broadcaster.NewRecorder(nil, corev1.EventSource{})
}
`
	second = `
-- second/main.go --
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func main() {
	start(record.NewBroadcaster()).Event(nil, "Normal", "Started", "started")
}

func start(broadcaster record.EventBroadcaster) record.EventRecorder {
	broadcaster.StartRecordingToSink(nil)
	return broadcaster.NewRecorder(nil, corev1.EventSource{})
}
`
	onSDK = `
-- library/library.go --
package library

import "github.com/eventseries/eventseries/events"

func Start(recorder events.EventRecorder) {
	recorder.Eventf(nil, nil, "Normal", "Started", "Start", "started")
}
`
	onManager = `
-- main.go --
package main

import "sigs.k8s.io/controller-runtime/pkg/manager"

func main() {
	mgr, _ := manager.New(nil, manager.Options{})
	mgr.GetEventRecorder("demo").Eventf(nil, nil, "Normal", "Started", "Start", "started")
	_ = mgr.Start(nil)
}
`
	inLibrary = `
require example.com/lib v0.0.0

replace example.com/lib => ../lib
-- ../lib/go.mod --
module example.com/lib

go 1.25.0
-- ../lib/lib.go --
package lib

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

var recorder record.EventRecorder

func Init(r record.EventRecorder) { recorder = r }

func Warnf(object runtime.Object, reason, message string, args ...any) {
	recorder.Eventf(object, "Warning", reason, message, args...)
}

func Name(reason, message string) string { return reason + message }
-- library/library.go --
package library

import (
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/lib"
)

func Start(mgr ctrl.Manager, pod *corev1.Pod) {
	lib.Init(mgr.GetEventRecorderFor("library"))
	lib.Warnf(pod, "Lost", "lost %s", lib.Name("a", "b"))
	lib.Warnf(pod, "Gone", "gone")
}
`
	nothing = `
-- main.go --
package main

func main() {}
`
	onlyTypes = `
-- options/options.go --
package options

import "k8s.io/client-go/tools/record"

type Options struct{ Recorder record.EventRecorder }
`
)

// Caught: calls count although the recorder that they are given comes from a file that stays old; a project on the SDK
// is told to change an import that it does not have; there is no verdict where all edits are withdrawn, or where there
// are none; code is written of which no call would write events.k8s.io, because something else would.
func TestVerdict(t *testing.T) {
	// The tool does not rewrite the file, because an option in the slice has no counterpart.
	const options = "[]record.BroadcasterOption{record.WithSleepDuration(0)}..."
	withdrawn := strings.Replace(program, "NewBroadcaster()", "NewBroadcaster("+options+")", 1)
	const watched = `
-- main.go --
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"example.com/m/worker"
)

func main() {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartEventWatcher(func(*corev1.Event) {})
	worker.Work(broadcaster.NewRecorder(nil, corev1.EventSource{}), nil)
}
`
	for _, test := range []struct {
		name, archive string
		dir           string // where the tool runs, or the root
		want          string
		refused       bool
		says          string
	}{
		{
			name: "the recorder is withdrawn", archive: withdrawn + worker, refused: true,
			want: "0 of 1 recording call would write events.k8s.io, because main.go stays as it is",
		},
		{
			name: "a broadcaster without a sink", archive: watched + worker, refused: true,
			want: "0 of 1 recording call would write events.k8s.io: nothing here makes a recorder that does",
			says: "\n  main.go:11:17: this broadcaster has no sink, so it writes nothing to the API server, and stays with the old API\n",
		},
		{
			name: "the recorder of one program is withdrawn", archive: withdrawn + worker + second,
			want: "1 of 2 recording calls would write events.k8s.io; those on the recorders of main.go, " +
				"which stays as it is, would not",
		},
		{
			name: "all edits are withdrawn", archive: program + worker, dir: "worker",
			want: "0 of 1 recording call would write events.k8s.io, because worker.go stays as it is",
			says: "worker.go: left as it is, because ../main.go:11 needs it so, in a package that this run does not edit: " +
				"run eventsmigrate on both packages",
		},
		{
			name: "the recorder is withdrawn, beside one of tools/events", refused: true,
			archive: withdrawn + worker + strings.ReplaceAll(onManager, "main.go", "managed/main.go"),
			want: "0 of 1 recording call would write events.k8s.io, because main.go stays as it is; 1 other call already uses the " +
				"events API; 1 recorder would record through eventseries; -from-events moves the recorders of tools/events alone",
		},
		{name: "on the SDK", archive: onSDK, want: "already on the SDK: nothing to do"},
		{
			name: "on a manager's recorder", archive: onManager,
			want: "1 recording call already uses the events API; 1 recorder would record through eventseries",
		},
		{
			name: "with a library's recorder", archive: inLibrary + onManager,
			want: "1 recording call already uses the events API; 1 recorder would record through eventseries; 2 other calls " +
				"record through example.com/lib, with a recorder of the old API",
		},
		{name: "nothing records", archive: nothing, want: "no package here reaches a recorder: nothing to do"},
		{
			name: "types alone", archive: onlyTypes, refused: true,
			want: "only types change: no call here records an Event through the old API",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := inModule(t, withSDK+test.archive)
			before := tree(t, root)
			t.Chdir(filepath.Join(root, test.dir))
			got := runTool(t, "-fix")
			verdict, _, _ := strings.Cut(got.stdout, "\n")
			if diff := cmp.Diff(test.want, verdict); diff != "" {
				t.Errorf("verdict (-want +got):\n%s\n%s%s", diff, got.stdout, got.stderr)
			}
			if !strings.Contains(got.stdout, test.says) {
				t.Errorf("the report lacks %q\n%s", test.says, got.stdout)
			}
			if refused := strings.Contains(got.stdout, "Nothing written"); refused != test.refused {
				t.Errorf("refused: %v, want %v\n%s", refused, test.refused, got.stdout)
			}
			if test.refused && cmp.Diff(before, tree(t, root)) != "" {
				t.Error("-fix writes what it refuses")
			}
		})
	}
}

// Caught: a project on the SDK whose marker lacks events.k8s.io is told that types change, and its RBAC is not written.
func TestOnlyRBACChanges(t *testing.T) {
	const marker = "\n// +kubebuilder:rbac:groups=\"\",resources=events,verbs=create;patch\n"
	dir := inModule(t, withSDK+strings.Replace(onSDK, "\nfunc", marker+"\nfunc", 1))
	got := runTool(t, "-fix")
	const want = "already on the SDK: only RBAC changes\n"
	if got.code != nothingLeft || !strings.HasPrefix(got.stdout, want) {
		t.Errorf("-fix = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
	if text := moduletest.Read(t, dir, "library/library.go"); !strings.Contains(text, `groups="";events.k8s.io,`) {
		t.Errorf("the marker is not written:\n%s", text)
	}
}
