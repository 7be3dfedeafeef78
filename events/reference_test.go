// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// unregistered is of a type that no scheme knows.
type unregistered struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (u *unregistered) DeepCopyObject() kruntime.Object { return u }

// bare has no metadata at all.
type bare struct{ metav1.TypeMeta }

func (b *bare) DeepCopyObject() kruntime.Object { return b }

// broken panics in an accessor.
type broken struct {
	unregistered
	with any
}

func newBroken(with any) *broken {
	return &broken{unregistered: unregistered{TypeMeta: metav1.TypeMeta{Kind: "X"}}, with: with}
}

func (b *broken) GetUID() types.UID { panic(b.with) }

func meta(namespace, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, UID: "1", ResourceVersion: "7"}
}

func podOf(kind, apiVersion string) *corev1.Pod {
	return &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: kind, APIVersion: apiVersion}, ObjectMeta: meta("a", "b")}
}

var objects = map[string]kruntime.Object{
	"typed":               &corev1.Pod{ObjectMeta: meta("default", "web")},
	"typed with kind":     podOf("Pod", "v1"),
	"typed, other kind":   podOf("X", "x/v2"),
	"typed, kind only":    podOf("X", ""),
	"typed, version only": podOf("", "x/v2"),
	"a group":             &appsv1.Deployment{ObjectMeta: meta("default", "web")},
	"cluster-scoped":      &corev1.Node{ObjectMeta: meta("", "n1")},
	"no metadata set":     &corev1.Pod{},
	"list":                &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "8"}},
	"unregistered": &unregistered{
		TypeMeta: metav1.TypeMeta{Kind: "Thing", APIVersion: "example.com/v1"}, ObjectMeta: meta("default", "thing"),
	},
	"unregistered without kind": &unregistered{ObjectMeta: meta("default", "thing")},
	"partial": &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{Kind: "Thing", APIVersion: "example.com/v1"}, ObjectMeta: meta("default", "thing"),
	},
	"partial without kind": &metav1.PartialObjectMetadata{ObjectMeta: meta("default", "thing")},
	"unstructured": &unstructured.Unstructured{Object: map[string]any{
		"kind": "Thing", "apiVersion": "example.com/v1alpha1",
		"metadata": map[string]any{"namespace": "default", "name": "thing", "uid": "9", "resourceVersion": "1"},
	}},
	"unstructured without kind": &unstructured.Unstructured{Object: map[string]any{}},
	"unstructured list": &unstructured.UnstructuredList{Object: map[string]any{
		"kind": "ThingList", "apiVersion": "example.com/v1", "metadata": map[string]any{"resourceVersion": "1"},
	}},
	"reference": &corev1.ObjectReference{
		Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: "web", UID: "1", ResourceVersion: "3",
		FieldPath: "spec.containers{app}",
	},
	"reference, group":  &corev1.ObjectReference{Kind: "X", APIVersion: "x.com/v1", Namespace: "a", Name: "x"},
	"empty reference":   &corev1.ObjectReference{},
	"bare":              &bare{},
	"nil":               nil,
	"typed nil":         (*corev1.Pod)(nil),
	"typed nil ref":     (*corev1.ObjectReference)(nil),
	"typed nil dynamic": (*unstructured.Unstructured)(nil),
	"panics":            newBroken(errors.New("oh")),
}

// theirs is client-go's answer, where a panic is an error.
func theirs(s *kruntime.Scheme, obj kruntime.Object) (ref *corev1.ObjectReference, err error) {
	defer func() {
		if p := recover(); p != nil {
			ref, err = nil, errors.New("panic")
		}
	}()
	if ref, err = reference.GetReference(s, obj); err == nil {
		copied := *ref // panics for a typed nil
		ref = &copied
	}
	return ref, err
}

// Differential: the reference on the wire is client-go's for every sort of object, and what client-go cannot refer to
// is Invalid here.
func TestReferenceIsThatOfClientGo(t *testing.T) {
	for name, obj := range objects {
		for _, s := range []*kruntime.Scheme{scheme.Scheme, nil} {
			for _, first := range []string{"regarding", "related"} {
				t.Run(name+map[bool]string{true: " without a scheme"}[s == nil]+" as "+first, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { checkReference(t, s, obj, first == "related") })
				})
			}
		}
	}
}

func checkReference(t *testing.T, s *kruntime.Scheme, obj kruntime.Object, asRelated bool) {
	t.Helper()
	want, wantErr := theirs(s, obj)
	sink := eventstest.NewSink()
	b, _ := start(t, sink)
	rec := b.NewRecorder(s, controller)
	for range 2 { // the second time, the kind comes from a cache
		if asRelated {
			rec.Eventf(&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"}, obj,
				"Normal", "Killing", "Kill", "note")
		} else {
			rec.Eventf(obj, nil, "Normal", "Killing", "Kill", "note")
		}
		flush(t, b)
	}
	if !asRelated && wantErr != nil {
		checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 2})
		return
	}
	e := only(t, sink)
	if count(&e) != 2 {
		t.Errorf("count %d, want 2", count(&e))
	}
	got := &e.Regarding
	if asRelated {
		got = e.Related
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reference (-client-go +got):\n%s", diff)
	}
}

// A type that is registered later is found then: only answers are cached, not errors.
func TestReferenceKindRegisteredLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := kruntime.NewScheme()
		sink := eventstest.NewSink()
		b, _ := start(t, sink)
		rec := b.NewRecorder(s, controller)
		emit := func() {
			rec.Eventf(&unregistered{ObjectMeta: meta("a", "b")}, nil, "Normal", "Killing", "Kill", "note")
		}
		emit()
		late := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Late"}
		s.AddKnownTypeWithName(late, &unregistered{})
		emit()
		flush(t, b)
		if e := only(t, sink); e.Regarding.Kind != "Late" {
			t.Errorf("kind %q, want Late", e.Regarding.Kind)
		}
		checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 1})
	})
}

// fickle panics when it is asked again: its owner has let go of it.
type fickle struct {
	unregistered
	left int
}

func (f *fickle) GetResourceVersion() string {
	if f.left--; f.left < 0 {
		panic("gone")
	}
	return "1"
}

// An object is read once, also for watchers; it may be gone even then.
//
// Caught: a second look for the reference on the wire.
func TestReferenceToWhatGoesAway(t *testing.T) {
	for left, want := range map[int]map[events.DropReason]int64{
		0: {events.Invalid: 1}, 1: {events.Abandoned: 1},
	} {
		b := events.NewBroadcaster(eventstest.NewSink(), quiet)
		seen := watch(t, b)
		newRecorder(b).Eventf(&fickle{
			unregistered: unregistered{TypeMeta: metav1.TypeMeta{Kind: "X"}, ObjectMeta: meta("a", "b")}, left: left,
		}, nil, "Normal", "Killing", "Kill", "note")
		drain(t, b, time.Second)
		checkDropped(t, b, want)
		if n := len(seen()); n != left {
			t.Errorf("%d reads allowed: the watcher saw %d", left, n)
		}
	}
}

// The cache of kinds is shared by all who record.
func TestReferenceConcurrentSafe(t *testing.T) {
	b, rec := start(t, eventstest.NewSink())
	var all sync.WaitGroup
	for _, obj := range objects {
		all.Go(func() {
			for range 20 {
				rec.Eventf(obj, obj, "Normal", "Killing", "Kill", "note")
			}
		})
	}
	all.Wait()
	flush(t, b)
	checkConserved(t, b.Stats())
}

// Bad input is one clear line, counted, and no panic; and no line ever contains a whole object.
func TestInvalidInputIsOneClearLine(t *testing.T) {
	const secret = "the whole object"
	pod := newPod("web")
	pod.Spec.NodeName = secret
	for _, test := range []struct {
		name      string
		regarding kruntime.Object
		eventType string
		want      []string
	}{
		{"nil", nil, "Normal", []string{"nil object"}},
		{"typed nil", (*corev1.Pod)(nil), "Normal", []string{"a nil *v1.Pod"}},
		{"unknown type", &unregistered{ObjectMeta: meta("a", "b")}, "Normal", []string{"no kind", "unregistered"}},
		{"no metadata", &bare{}, "Normal", []string{"cannot refer", "*events_test.bare"}},
		{"panic", newBroken(errors.New("oh")), "Normal", []string{"a method of *events_test.broken panicked: oh"}},
		{"panic with it", newBroken(pod), "Normal", []string{"*events_test.broken panicked with a *v1.Pod"}},
		{"type", pod, "Info", []string{`unsupported event type \"Info\"`, "Normal or Warning"}},
		{"empty type", pod, "", []string{`unsupported event type \"\"`}},
		{"namespace", newPodIn("Not_A_Label", "web"), "Normal", []string{`\"Not_A_Label\" is not a DNS label`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &testlog.Log{Level: 10}
				b, rec := start(t, eventstest.NewSink(), events.WithLogger(klog.New(log)))
				for range 100 {
					rec.Eventf(test.regarding, nil, test.eventType, "Killing", "Kill", "note")
				}
				lines := log.Take()
				testlog.CheckLine(t, lines, append(test.want, "error: Event dropped", controller, `reason="Killing"`)...)
				if strings.Contains(strings.Join(lines, ""), secret) {
					t.Errorf("the line has the whole object: %s", lines)
				}
				checkDropped(t, b, map[events.DropReason]int64{events.Invalid: 100})
				time.Sleep(time.Minute)
				rec.Eventf(test.regarding, nil, test.eventType, "Killing", "Kill", "note")
				if n := len(log.Take()); n != 1 {
					t.Errorf("%d lines a minute later, want a reminder", n)
				}
			})
		})
	}
}
