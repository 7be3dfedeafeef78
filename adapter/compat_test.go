// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	// The one line that changes when a component migrates; it was "k8s.io/client-go/tools/events".
	events "github.com/eventseries/eventseries/adapter"
)

// component is how users of client-go's adapter wire it.
type component struct {
	broadcaster events.EventBroadcasterAdapter
	recorder    events.EventRecorder
	logging     events.EventRecorderLogger
	election    resourcelock.EventRecorder
}

func newComponent(ctx context.Context, client kubernetes.Interface) *component {
	broadcaster := events.NewEventBroadcasterAdapterWithContext(ctx, client)
	return &component{
		broadcaster: broadcaster,
		recorder:    broadcaster.NewRecorder("example.com/component"),
		logging:     broadcaster.NewRecorder("example.com/component"),
		election:    broadcaster.DeprecatedNewLegacyRecorder("component"),
	}
}

func (c *component) run(stop <-chan struct{}, pod *corev1.Pod) {
	c.broadcaster.StartRecordingToSink(stop)
	defer c.broadcaster.Shutdown()
	c.recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
	c.logging.Eventf(pod, nil, corev1.EventTypeWarning, "Failed", "Scale", "no quota")
	c.election.Eventf(pod, corev1.EventTypeNormal, "LeaderElection", "%s became leader", "me")
}

// A component written against client-go's adapter compiles with only the import changed, and does what it did.
func TestComponentMigratesByItsImport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		stop := make(chan struct{}) // never closed
		newComponent(t.Context(), c).run(stop, newPod("default", "web"))
		reasons := map[string]bool{}
		for _, e := range c.Events() {
			reasons[e.Reason] = true
		}
		if len(reasons) != 3 || !reasons["Scaled"] || !reasons["Failed"] || !reasons["LeaderElection"] {
			t.Errorf("stored: %v, want all three", reasons)
		}
	})
}

// The names that tests of such a component use.
func TestTestsMigrateByTheirImport(t *testing.T) {
	events.NewEventBroadcasterAdapter(newCluster()).Shutdown()
	var fake *events.FakeRecorder = events.NewFakeRecorder(1)
	ref := &corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"}
	fake.Eventf(ref, nil, "Normal", "Scaled", "Scale", "up")
	if got := <-fake.Events; got != "Normal Scaled up" {
		t.Errorf("the fake says %q", got)
	}
}

// TestNamesAreClientGos: values pass freely between the two packages.
func TestNamesAreClientGos(t *testing.T) {
	for name, pair := range map[string][2]any{
		"EventBroadcaster":           {new(events.EventBroadcaster), new(clientevents.EventBroadcaster)},
		"EventBroadcasterAdapter":    {new(events.EventBroadcasterAdapter), new(clientevents.EventBroadcasterAdapter)},
		"EventRecorder":              {new(events.EventRecorder), new(clientevents.EventRecorder)},
		"EventRecorderLogger":        {new(events.EventRecorderLogger), new(clientevents.EventRecorderLogger)},
		"EventSink":                  {new(events.EventSink), new(clientevents.EventSink)},
		"EventSinkImpl":              {new(events.EventSinkImpl), new(clientevents.EventSinkImpl)},
		"FakeRecorder":               {new(events.FakeRecorder), new(clientevents.FakeRecorder)},
		"GetFieldSelector":           {events.GetFieldSelector, clientevents.GetFieldSelector},
		"NewFakeRecorder":            {events.NewFakeRecorder, clientevents.NewFakeRecorder},
		"NewBroadcaster":             {events.NewBroadcaster, clientevents.NewBroadcaster},
		"NewEventBroadcasterAdapter": {events.NewEventBroadcasterAdapter, clientevents.NewEventBroadcasterAdapter},
		"NewEventBroadcasterAdapterWithContext": {
			events.NewEventBroadcasterAdapterWithContext, clientevents.NewEventBroadcasterAdapterWithContext,
		},
	} {
		if ours, theirs := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1]); ours != theirs {
			t.Errorf("%s is a %v, client-go's a %v", name, ours, theirs)
		}
	}
	selector, err := events.GetFieldSelector(
		eventsv1.SchemeGroupVersion, corev1.SchemeGroupVersion.WithKind("Pod"), "web", "uid")
	about := fields.Set{
		"regarding.apiVersion": "v1", "regarding.kind": "Pod", "regarding.name": "web", "regarding.uid": "uid",
	}
	if err != nil || !selector.Matches(about) {
		t.Errorf("GetFieldSelector() = %v, %v, want it to match %v", selector, err, about)
	}
}

// The names are written twice, as Go has no other way: here and in package events.
//
// Caught: a name that is added to, or left out of, one of the two files.
func TestNamesAreThoseOfPackageEvents(t *testing.T) {
	want := append(exported(t, "../events/compat.go"),
		"NewBroadcaster", "NewEventBroadcasterAdapter", "NewEventBroadcasterAdapterWithContext")
	slices.Sort(want)
	if diff := cmp.Diff(want, exported(t, "compat.go")); diff != "" {
		t.Errorf("names (-package events +adapter):\n%s", diff)
	}
}

// exported returns the sorted names that a file exports.
func exported(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					names = append(names, s.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// The end of the context given to the constructor ends a broadcaster that was started by a stop channel.
func TestContextOfTheConstructorEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		ctx, cancel := context.WithCancel(context.Background())
		broadcaster := events.NewEventBroadcasterAdapterWithContext(ctx, c)
		broadcaster.StartRecordingToSink(make(chan struct{}))
		emit(broadcaster.NewRecorder(controller), 2, "default", "web")
		cancel()
		time.Sleep(6 * time.Second)
		e := only(t, c)
		checkCount(t, &e, 2)
	})
}
