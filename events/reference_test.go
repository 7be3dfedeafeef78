// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"errors"
	"sync"
	"testing"
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

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// unregistered is an object of a type that no scheme knows.
type unregistered struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (u *unregistered) DeepCopyObject() kruntime.Object { return u }

// bare is an object without metadata.
type bare struct{ metav1.TypeMeta }

func (b *bare) DeepCopyObject() kruntime.Object { return b }

// broken is an object with an accessor that panics.
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

// theirs returns the reference that client-go makes. It returns an error if client-go panics.
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

// The written reference is the one that client-go would write, for every kind of object. If
// client-go returns an error, or if the object has neither a name nor a UID, the occurrence is
// dropped as Invalid.
func TestReferenceIsThatOfClientGo(t *testing.T) {
	for name, obj := range objects {
		for _, s := range []*kruntime.Scheme{scheme.Scheme, nil} {
			t.Run(name+map[bool]string{true: " without a scheme"}[s == nil], func(t *testing.T) {
				want, wantErr := theirs(s, obj)
				if want != nil && want.Name == "" && want.UID == "" {
					want, wantErr = nil, errors.New("nobody's")
				}
				var got *corev1.ObjectReference
				inBubble(t, nil, func(r *rig) {
					rec := r.b.Recorder(s, controller)
					for range 2 { // the second time, the kind comes from a cache
						rec.Eventf(obj, nil, "Normal", "Killing", "Kill", "note")
					}
					r.flush()
					if wantErr != nil {
						r.checkDropped(map[events.DropReason]int64{events.DropInvalid: 2})
						return
					}
					e := r.only()
					if got = &e.Regarding; count(&e) != 2 {
						r.Errorf("count %d, want 2", count(&e))
					}
				})
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("regarding (-client-go +got):\n%s", diff)
				}
				inBubble(t, nil, func(r *rig) {
					r.b.Recorder(s, controller).Eventf(&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"}, obj,
						"Normal", "Killing", "Kill", "note")
					r.flush()
					if diff := cmp.Diff(want, r.only().Related); diff != "" {
						r.Errorf("related (-client-go +got):\n%s", diff)
					}
				})
			})
		}
	}
}

// A type that is registered later is found then, because the cache keeps no errors. All goroutines
// that record share the cache.
func TestReferenceConcurrentSafe(t *testing.T) {
	s := kruntime.NewScheme()
	sink := eventstest.NewSink()
	b, _ := start(t, sink)
	rec := b.Recorder(s, controller)
	emit := func() {
		var all sync.WaitGroup
		for _, obj := range objects {
			all.Go(func() {
				for range 20 {
					rec.Eventf(obj, obj, "Normal", "Killing", "Kill", "note")
				}
			})
		}
		all.Wait()
	}
	emit()
	s.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Late"}, &unregistered{})
	emit()
	fixture.Flush(t, b)
	late := false
	for _, e := range sink.Events() {
		late = late || e.Regarding.Kind == "Late"
	}
	if !late {
		t.Error("a type that is registered later is not found")
	}
	fixture.CheckConserved(t, b.Stats())
}

// An invalid call is counted and logged in one clear line, and does not panic. No line ever
// contains a whole object. A minute later the next such call is logged. Watchers do not get invalid
// calls.
func TestInvalidInputIsOneClearLine(t *testing.T) {
	const secret = "the whole object"
	pod := newPod("web")
	pod.Spec.NodeName = secret
	for name, row := range map[string]struct {
		regarding kruntime.Object
		eventType string
		want      []string
	}{
		"nil":           {nil, "Normal", []string{"nil object"}},
		"not created":   {&corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-"}}, "Normal", []string{"neither a name nor a UID"}},
		"not found":     {&corev1.Pod{}, "Normal", []string{"neither a name nor a UID", "*v1.Pod"}},
		"typed nil":     {(*corev1.Pod)(nil), "Normal", []string{"a nil *v1.Pod"}},
		"unknown type":  {&unregistered{ObjectMeta: meta("a", "b")}, "Normal", []string{"no kind", "unregistered", "events.WithScheme"}},
		"no metadata":   {&bare{}, "Normal", []string{"cannot refer", "*events_test.bare"}},
		"panic":         {newBroken(errors.New("oh")), "Normal", []string{"a method of *events_test.broken panicked: oh"}},
		"panic with it": {newBroken(pod), "Normal", []string{"*events_test.broken panicked with a *v1.Pod"}},
		"type":          {pod, "Info", []string{`unsupported event type \"Info\"`, "Normal or Warning"}},
		"namespace":     {fixture.Pod("Not_A_Label", "web"), "Normal", []string{`\"Not_A_Label\" is not a DNS label`}},
	} {
		subtest(t, name, nil, func(r *rig) {
			seen := watch(r, r.b)
			for range 2 {
				for range 100 {
					r.rec.Eventf(row.regarding, nil, row.eventType, "Killing", "Kill", "note")
				}
				if found := r.log.Lines(secret); len(found) > 0 {
					r.Errorf("a line has the whole object: %s", found)
				}
				r.checkLines(append(row.want, "error: Event dropped", controller, `reason="Killing"`))
				time.Sleep(time.Minute) // in a synctest bubble
			}
			r.checkDropped(map[events.DropReason]int64{events.DropInvalid: 200})
			if n := len(seen()); n != 0 {
				r.Errorf("a watcher saw %d", n)
			}
		})
	}
}

// A reference that is longer than the one of any valid object is refused, so that the memory of a
// limited number of series is limited, too. As a related object it is left out.
func TestI5ReferencesAreBounded(t *testing.T) {
	for name, ref := range map[string]*corev1.ObjectReference{
		"name":    {Kind: "Pod", Namespace: "default", Name: long(5000)},
		"group":   {Kind: "Pod", Namespace: "default", Name: "web", APIVersion: long(5000) + "/v1"},
		"field":   {Kind: "Pod", Namespace: "default", Name: "web", FieldPath: long(5000)},
		"version": {Kind: "Pod", Namespace: "default", Name: "web", ResourceVersion: long(5000)},
	} {
		subtest(t, name, nil, func(r *rig) {
			r.rec.Eventf(ref, nil, "Normal", "Killing", "Kill", "note")
			r.rec.Eventf(newPod("web"), ref, "Normal", "Killing", "Kill", "note")
			r.flush()
			r.checkDropped(map[events.DropReason]int64{events.DropInvalid: 1})
			if e := r.only(); e.Related != nil {
				r.Errorf("related is %v, want none", e.Related)
			}
		})
	}
}
