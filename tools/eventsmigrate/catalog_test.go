// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/moduletest"
)

var update = flag.Bool("update", false, "rewrite testdata/catalog")

// recorders is a module that records through each API. The values of its calls come from other functions and packages.
const recorders = `
-- reasons/reasons.go --
package reasons

// Reasons of Pods.
const (
	// Created means that there is a new Pod,
	// and that it has a node.
	Created = "PodCreated"
	Failed  = "PodFailed" // the Pod cannot be made
)
-- failure/failure.go --
package failure

type Failure struct{ Reason string }

func New(reason string) *Failure { return &Failure{Reason: reason} }
-- record/record.go --
package record

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"

	"example.com/m/reasons"
)

type Controller struct{ recorder record.EventRecorder }

func New() *Controller {
	broadcaster := record.NewBroadcaster()
	return &Controller{recorder: broadcaster.NewRecorder(nil, corev1.EventSource{Component: "pod-controller"})}
}

func (c *Controller) Sync(pod *corev1.Pod, node *corev1.Node, err error) {
	if err != nil {
		c.warn(pod, reasons.Failed, fmt.Sprintf("cannot create %s: %v", pod.Name, err))
		c.warn(node, "NodeFull", "no room: " + err.Error())
		return
	}
	c.recorder.Eventf(pod, corev1.EventTypeNormal, reasons.Created, "created %s", pod.Name)
	reference := &corev1.ObjectReference{Kind: "Namespace"}
	c.recorder.Event(reference, corev1.EventTypeNormal, "Prefix" + pod.Name, "volatile")
	Record(c.recorder, reference, "Labelled")
}

func (c *Controller) warn(object runtime.Object, reason, message string) {
	if message == "" {
		message += "?"
	}
	c.recorder.Event(object, corev1.EventTypeWarning, reason, message)
}

// Record is called by other packages, too.
func Record(recorder record.EventRecorder, object runtime.Object, reason string) {
	recorder.Event(object, corev1.EventTypeNormal, reason, "recorded")
}
-- manager/manager.go --
package manager

import (
	corev1 "k8s.io/api/core/v1"
	clientrecord "k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"example.com/m/failure"
	"example.com/m/record"
)

const name = "node-manager"

type Reconciler struct{ clientrecord.EventRecorder }

func Add(mgr manager.Manager) *Reconciler { return &Reconciler{EventRecorder: mgr.GetEventRecorderFor(name)} }

func (r *Reconciler) Reconcile(node *corev1.Node) {
	record.Record(r.EventRecorder, node, "Reconciled")
	notify(r.note, node)
	failed := failure.New("Unreachable")
	r.Eventf(node, "Warning", failed.Reason, "no answer")
}

func (r *Reconciler) note(node *corev1.Node, reason string) { r.Event(node, "Normal", reason, "noted") }

func notify(note func(*corev1.Node, string), node *corev1.Node) { note(node, "Noted") }
-- events/events.go --
package events

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

func Run(adapter events.EventBroadcasterAdapter, pod *corev1.Pod, node *corev1.Node) {
	recorder := adapter.NewRecorder("scheduler")
	recorder.Eventf(pod, node, "Normal", "Scheduled", "Bind", "assigned to %s", node.Name)
}
-- sdk/sdk.go --
package sdk

import (
	"github.com/eventseries/eventseries/adapter"
	corev1 "k8s.io/api/core/v1"
)

func Run(a *adapter.Adapter, pod *corev1.Pod) {
	recorder := a.Recorder("example.com/sdk")
	for _, action := range []string{"Stop", "Kill"} {
		recorder.Event(pod, nil, "Normal", "Killing", action, "stopping it")
	}
	verb := "Drain"
	if pod.Name == "" {
		verb = "Evict"
	}
	recorder.Eventf(pod, nil, "Normal", "Killing", verb, "stopping it")
}
`

// unknown is what the report says of the call without an entry.
const unknown = "\nNot in the catalogue:\n  record/record.go:28: the reason of this call is not a constant\n"

// Caught: a reason of a function's caller in another package; a recorder that is embedded, or a parameter; a field that
// another package sets; a function that a parameter holds; comments of constants in packages that do not record.
func TestCatalog(t *testing.T) {
	dir := inModule(t, withSDK+recorders)
	got := runTool(t, "catalog")
	const report = "events.yaml lists what 9 recording calls can record, by controller, type, reason and action: 12 in all\n" +
		unknown + "\nFiles written: 2.\n"
	if got.code != nothingLeft || got.stdout != report {
		t.Errorf("catalog = %d\n%s%s", got.code, cmp.Diff(report, got.stdout), got.stderr)
	}
	for _, name := range []string{"events.yaml", "events.md"} {
		want := filepath.Join(filepath.Dir(moduletest.Stub("")), "catalog", name)
		text := moduletest.Read(t, dir, name)
		if *update {
			if err := os.WriteFile(want, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(moduletest.Read(t, want), text); diff != "" {
			t.Errorf("%s differs; with -update it is rewritten (-want +got):\n%s", want, diff)
		}
	}
	const checked = "events.yaml has all that can be told from the code\n" + unknown
	if got := runTool(t, "catalog", "-check"); got.code != nothingLeft || got.stdout != checked {
		t.Errorf("catalog -check = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: a renamed reason is one that is gone and a new one; the check writes; what was written by hand is lost.
func TestCatalogCheck(t *testing.T) {
	dir := inModule(t, withSDK+recorders)
	runTool(t, "catalog")
	edit(t, "events.yaml", "reason: Reconciled\n", "reason: Reconciled\n    meaning: by hand\n    runbook: a page\n")
	edit(t, "events.yaml", "action: Bind\n", "action: Bind\n    meaning: of the action\n")
	edit(t, "manager/manager.go", `"Reconciled"`, `"NodeReconciled"`)
	edit(t, "events/events.go", `"Bind"`, `"Assign"`)
	edit(t, "record/record.go", `"NodeFull", "no room: "`, `"NoRoom", "full: "`)
	edit(t, "record/record.go", `	Record(c.recorder, reference, "Labelled")`, "	_ = reference")
	edit(t, "sdk/sdk.go", `"Killing", verb, "stopping it"`, `"Killing", verb, "stopping %s", pod.Name`)
	before := tree(t, dir)
	const want = `the code does not record what events.yaml has: 4 differences

Events that differ:
  events.yaml: gone: Normal reason Labelled (pod-controller)
  events/events.go:10: renamed: action Bind -> Assign (of reason Scheduled, scheduler)
  manager/manager.go:19: renamed: reason Reconciled -> NodeReconciled (node-manager)
  record/record.go:23: renamed: reason NodeFull -> NoRoom (pod-controller)
` + unknown + `
Notes:
  alerts and scripts match reasons and actions: if the change is meant, run eventsmigrate catalog, and commit events.yaml
`
	got := runTool(t, "catalog", "-check")
	if diff := cmp.Diff(want, got.stdout); got.code != somethingLeft || diff != "" {
		t.Errorf("catalog -check = %d (-want +got)\n%s%s", got.code, diff, got.stderr)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("catalog -check changed files (-before +after):\n%s", diff)
	}
	lines := strings.SplitAfter(want, "\n")
	written := "11 in all\n\nEvents that change:\n" + strings.Join(lines[3:7], "")
	if got := runTool(t, "catalog"); !strings.Contains(got.stdout, written) {
		t.Errorf("catalog does not print the differences that it writes:\n%s", got.stdout)
	}
	for _, kept := range []string{
		"reason: NodeReconciled\n    regarding: [Node]\n    notes:\n      - recorded\n    meaning: by hand\n    runbook: a page\n",
		"action: Assign\n    regarding: [Pod]\n    related: [Node]\n    notes:\n      - assigned to %s\n    meaning: of the action\n",
	} {
		if text := moduletest.Read(t, dir, "events.yaml"); !strings.Contains(text, kept) {
			t.Errorf("events.yaml lacks %q\n%s", kept, text)
		}
	}
}

// A note that changes is no difference to those who match reasons.
func TestCatalogCheckOfNotes(t *testing.T) {
	inModule(t, withSDK+recorders)
	runTool(t, "catalog")
	edit(t, "events/events.go", "assigned to", "bound to")
	got := runTool(t, "catalog", "-check")
	if got.code != nothingLeft || !strings.Contains(got.stdout, "older notes, objects or comments") {
		t.Errorf("catalog -check = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: the check passes, and nothing says that a file was not looked at.
func TestCatalogOfAnotherBuild(t *testing.T) {
	const tagged = "-- sdk/tagged.go --\n//go:build e2e\n\npackage sdk\n\nfunc tagged(r interface{ Event() }) { r.Event() }\n"
	inModule(t, withSDK+recorders+tagged)
	runTool(t, "catalog")
	const want = "  sdk/tagged.go: this file is in none of the builds that were looked at: " +
		"if it records, add a build (-tags= -tags=TAGS)\n"
	if got := runTool(t, "catalog", "-check"); got.code != nothingLeft || !strings.Contains(got.stdout, want) {
		t.Errorf("catalog -check = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
	if got := runTool(t, "catalog", "-check", "-tags=e2e"); strings.Contains(got.stdout, "tagged") {
		t.Errorf("catalog -check -tags=e2e = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Caught: a page that somebody has written is overwritten.
func TestCatalogKeepsAForeignPage(t *testing.T) {
	dir := inModule(t, withSDK+recorders+"-- events.md --\n# Our events\n")
	got := runTool(t, "catalog")
	if got.code != couldNotRun || !strings.Contains(got.stderr, "events.md is not a page of this tool: rename it; nothing is written") {
		t.Errorf("catalog = %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if text := moduletest.Read(t, dir, "events.md"); text != "# Our events\n" {
		t.Errorf("events.md has %q", text)
	}
}

func TestCatalogCannotRun(t *testing.T) {
	for _, test := range []struct {
		name, archive, want string
		args                []string
	}{
		{"no file", recorders, "there is no events.yaml: write it with eventsmigrate catalog", []string{"catalog", "-check"}},
		{"another version", recorders + "-- events.yaml --\nversion: 2\n", "events.yaml: version is 2, want 1", []string{"catalog"}},
		{"with -fix", recorders, "flag provided but not defined: -fix", []string{"catalog", "-fix"}},
		{"broken", recorders + "-- record/broken.go --\npackage record\n\nvar x = y\n", "example.com/m/record does not compile, or imports what " +
			"does not, and events.yaml would lack what it records: undefined: y", []string{"catalog"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inModule(t, withSDK+test.archive)
			got := runTool(t, test.args...)
			if got.code != couldNotRun || !strings.Contains(got.stderr, test.want) || got.stdout != "" {
				t.Errorf("%v = %d, want %q\n%s%s", test.args, got.code, test.want, got.stdout, got.stderr)
			}
		})
	}
}

// edit replaces a text that a file must have.
func edit(t *testing.T, name, before, after string) {
	t.Helper()
	text := moduletest.Read(t, name)
	if !strings.Contains(text, before) {
		t.Fatalf("%s lacks %q:\n%s", name, before, text)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(text, before, after, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Caught: who begins in a directory is told to write a second catalogue there.
func TestCatalogOfTheDirectoryAbove(t *testing.T) {
	dir := inModule(t, withStubs+recorders+"-- events.yaml --\nevents: []\n")
	t.Chdir(filepath.Join(dir, "record"))
	const want = "there is no events.yaml here, but ../events.yaml: run eventsmigrate catalog -check there\n"
	if got := runTool(t, "catalog", "-check"); got.code != couldNotRun || !strings.Contains(got.stderr, want) {
		t.Errorf("catalog -check = %d, want %q\n%s%s", got.code, want, got.stdout, got.stderr)
	}
}
