// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// attack is what a hostile caller passes to a recorder.
type attack struct {
	name        string
	regarding   runtime.Object
	related     runtime.Object
	annotations map[string]string
	reason      string
	note        string
	args        []any
}

// No input gets a panic out of any recorder of the SDK, ends a worker, or falls out of the accounts (I1).
//
// Caught: formatting with fmt.Sprintf itself (package events and legacy), printing what an accessor panicked with by
// fmt.Errorf.
func TestHostileInput(t *testing.T) {
	for name, newTarget := range targets {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				target := newTarget(t)
				var calls int64
				for _, one := range attacks(target) {
					for kind, call := range target.calls {
						contained(t, fmt.Sprintf("%s of %s", kind, one.name), func() { call(&one) })
						calls++
					}
				}
				fine := attack{regarding: kinded("fine"), reason: "Started", note: "well"}
				for _, call := range target.calls {
					call(&fine)
					calls++
				}
				flushed(t, target)
				s := target.Stats()
				checkConserved(t, s)
				if s.Observed != calls+target.extra || s.Pending != 0 || s.Dropped["Invalid"] == 0 {
					t.Errorf("%d calls, and %d of the args: %+v", calls, target.extra, s)
				}
				stored := false
				for _, e := range target.cluster.Events() {
					stored = stored || e.Regarding.Name == "fine"
				}
				if !stored {
					t.Error("nothing is written after the attacks")
				}
			})
		})
	}
}

// contained fails the test when a panic gets out of f.
func contained(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: a panic with a %T got out", what, p)
		}
	}()
	f()
}

func flushed(t *testing.T, target *target) {
	t.Helper()
	if err := target.Flush(context.Background()); err != nil {
		t.Error(err)
	}
}

// attacks returns all of them, some of which call back.
func attacks(target *target) []attack {
	var all []attack
	add := func(one attack) {
		if one.reason == "" {
			one.reason = "Killing"
		}
		if one.regarding == nil && one.name != "nil" {
			one.regarding = kinded("web")
		}
		all = append(all, one)
	}
	for name, explode := range explosions {
		for _, accessor := range accessors {
			bomb := &trapped{Pod: *newPod("default", "web"), at: accessor, explode: explode}
			add(attack{name: accessor + ": " + name, regarding: bomb, note: "%v", args: []any{accessor}})
			add(attack{name: "related " + accessor + ": " + name, related: bomb})
		}
		for verb, arg := range map[string]any{
			"%v": texted{explode}, "%s": failed{explode}, "%d": formatted{explode}, "%#v": sourced{explode},
			"%+v": []any{map[string]any{"a": &texted{explode}}}, "%*d": texted{explode},
		} {
			add(attack{name: verb + ": " + name, reason: verb + name, note: "a " + verb + " b", args: []any{arg}})
		}
	}
	for i, object := range objects() {
		add(attack{name: fmt.Sprintf("object %d, a %T", i, object), regarding: object})
		add(attack{name: fmt.Sprintf("related %d, a %T", i, object), related: object})
	}
	add(attack{name: "nil"})
	for i, note := range notes {
		add(attack{name: fmt.Sprint("note ", i), reason: fmt.Sprint("Note", i), note: note})
		add(attack{name: fmt.Sprint("note with args ", i), reason: fmt.Sprint("Args", i), note: note,
			args: []any{1, "two", nil, 1 << 40, cyclic(), strings.Repeat("x", 1<<12), (*trapped)(nil), (*failed)(nil)}})
		add(attack{name: fmt.Sprint("reason ", i), reason: note})
	}
	for i, annotations := range annotationSets() {
		add(attack{name: fmt.Sprint("annotations ", i), reason: fmt.Sprint("Annotated", i), annotations: annotations})
	}
	well := attack{regarding: kinded("within"), reason: "Within", note: "an arg's"}
	for kind, call := range target.calls {
		add(attack{name: "calls back " + kind, reason: "CallsBack" + kind, note: "%v", args: []any{texted{func() {
			target.extra++
			call(&well)
		}}}})
	}
	add(attack{name: "flushes", reason: "Flushes", note: "%v", args: []any{texted{func() {
		_ = target.Flush(context.Background())
		target.Stats()
	}}}})
	return all
}

// kinded is a pod that needs no scheme.
func kinded(name string) *corev1.Pod {
	pod := newPod("default", name)
	pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
	return pod
}

// explosions are the ways to panic.
var explosions = map[string]func(){
	"a nil":           func() { panic(nil) },
	"a runtime error": func() { map[string]int(nil)["a"]++ },
	"a text":          func() { panic("oh") },
	"an error":        func() { panic(errors.New("oh")) },
	"an object":       func() { panic(newPod("default", "web")) },
	"a bomb":          func() { panic(bomb{}) },
	"a novel":         func() { panic(strings.Repeat("x", 1<<14)) },
}

// bomb is an error that panics with a bomb, of which fmt contains but the first.
type bomb struct{}

func (bomb) Error() string { panic(bomb{}) }

// trapped is an object one of whose accessors panics.
type trapped struct {
	corev1.Pod
	at      string
	explode func()
}

var accessors = []string{
	"GetObjectKind", "GetName", "GetNamespace", "GetUID", "GetResourceVersion", "DeepCopyObject", "GetObjectMeta",
}

func (o *trapped) step(on string) {
	if o.at == on {
		o.explode()
	}
}

func (o *trapped) GetObjectKind() schema.ObjectKind {
	o.step("GetObjectKind")
	return &metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
}
func (o *trapped) GetObjectMeta() metav1.Object   { o.step("GetObjectMeta"); return o }
func (o *trapped) GetName() string                { o.step("GetName"); return o.Name }
func (o *trapped) GetNamespace() string           { o.step("GetNamespace"); return o.Namespace }
func (o *trapped) GetUID() types.UID              { o.step("GetUID"); return o.UID }
func (o *trapped) GetResourceVersion() string     { o.step("GetResourceVersion"); return "1" }
func (o *trapped) DeepCopyObject() runtime.Object { o.step("DeepCopyObject"); return o }

// texted, failed, formatted and sourced are the ways to be asked for a text.
type (
	texted    struct{ explode func() }
	failed    struct{ explode func() }
	formatted struct{ explode func() }
	sourced   struct{ explode func() }
)

func (a texted) String() string            { a.explode(); return "a text" }
func (a failed) Error() string             { a.explode(); return "an error" }
func (a formatted) Format(fmt.State, rune) { a.explode() }
func (a sourced) GoString() string         { a.explode(); return "source" }

// cyclic is a ring of pointers, which fmt prints one round of. (It does not survive a map or a slice in itself.)
func cyclic() any {
	type ring struct {
		next *ring
		any  any
	}
	r := &ring{}
	r.next, r.any = r, r
	return r
}

// headless has an accessor that returns no ObjectKind at all, selfless one that returns no metadata.
type (
	headless struct{ corev1.Pod }
	selfless struct{ metav1.TypeMeta }
)

func (*headless) GetObjectKind() schema.ObjectKind { return nil }
func (*selfless) GetObjectMeta() metav1.Object     { return nil }
func (o *selfless) DeepCopyObject() runtime.Object { return o }

func objects() []runtime.Object {
	endless := map[string]any{"kind": "Thing", "apiVersion": "example.com/v1"}
	endless["metadata"] = map[string]any{"name": "endless", "namespace": "default", "annotations": endless}
	huge := map[string]any{"kind": "Thing", "apiVersion": "example.com/v1"}
	for i := range 10_000 {
		huge[fmt.Sprint("field", i)] = strings.Repeat("x", 100)
	}
	long := strings.Repeat("long/\xff\x00", 1<<13)
	return []runtime.Object{
		(*corev1.Pod)(nil), (*trapped)(nil), (*corev1.ObjectReference)(nil), (*unstructured.Unstructured)(nil),
		(*metav1.PartialObjectMetadata)(nil), (*corev1.PodList)(nil), (*headless)(nil),
		&corev1.Pod{}, &corev1.ObjectReference{}, &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{},
		&corev1.PodList{}, &unstructured.UnstructuredList{}, &headless{}, &selfless{}, &metav1.Status{},
		&unstructured.Unstructured{Object: map[string]any{"kind": "A", "apiVersion": "b", "metadata": 7}},
		&unstructured.Unstructured{Object: map[string]any{"kind": 1, "apiVersion": []any{}, "metadata": nil}},
		&unstructured.Unstructured{Object: map[string]any{"kind": "A", "apiVersion": "a/b/c", "metadata": map[string]any{
			"name": 7, "namespace": "default", "uid": map[string]any{},
		}}},
		&unstructured.Unstructured{Object: endless}, &unstructured.Unstructured{Object: huge},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", ResourceVersion: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", APIVersion: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: long, Name: "web"},
		&corev1.ObjectReference{Kind: "\x00", Namespace: "default", Name: "../\x00\xff", UID: "\xff"},
	}
}

var notes = []string{
	"", "%", "%!", "%!v", "%!(EXTRA", "%n", "%[9]d", "%[-1]d", "%*d", "%.*d", "%99999999999999999999d",
	"%s %s %s %s %s %s %s %s %s %s", "\x00", "\xff\xfe", "100%", "%v%%%v", "%#v %T %p %x %q %U",
	strings.Repeat("m", 1<<20), strings.Repeat("\xff", 1<<12), strings.Repeat("%v", 1<<10),
	strings.Repeat("é", 511) + "\xc3", "\u2028\ud7ff\U0010ffff",
}

func annotationSets() []map[string]string {
	many, big := map[string]string{}, map[string]string{}
	for i := range 10_000 {
		many[fmt.Sprint("example.com/a", i)] = "value"
		big[fmt.Sprint("b", i)] = strings.Repeat("v", 1000)
	}
	return []map[string]string{
		{}, many, big, {"a": strings.Repeat("x", 1<<18)}, {strings.Repeat("k", 1<<12): "v"},
		{"": "", "\x00": "\xff", "a/b/c": "d", "ok": "\xff\x00"}, {"eventseries.dev/latest-note": "mine"},
	}
}
