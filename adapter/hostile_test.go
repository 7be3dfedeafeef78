// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

// target is a recorder of the SDK in one of its shapes, over a whole cluster.
type target struct {
	broadcaster interface {
		Flush(ctx context.Context) error
		Stats() events.Stats
	}
	cluster *cluster
	calls   map[string]func(*attack)
	extra   int64 // calls that attacks made themselves
}

var targets = map[string]func(*testing.T) *target{
	"events": func(t *testing.T) *target { return newTarget(t) },
	"events, NotesLatest": func(t *testing.T) *target {
		return newTarget(t, events.WithNotePolicy(events.NotesLatest))
	},
	"events, NotesDistinct": func(t *testing.T) *target {
		return newTarget(t, events.WithNotePolicy(events.NotesDistinct(3)))
	},
	"events, empty scheme": func(t *testing.T) *target { return newTarget(t, events.WithScheme(&runtime.Scheme{})) },
	"correlator":           func(t *testing.T) *target { return newTarget(t, adapter.WithMode(adapter.ModeLegacy)) },
	"AsLegacy": func(t *testing.T) *target {
		c := newCluster()
		a, rec := start(t, c)
		return &target{broadcaster: a, cluster: c, calls: oldCalls(legacy.AsLegacy(rec))}
	},
	"FromLegacy": func(t *testing.T) *target { // two bridges: nothing is known of the recorder below
		c := newCluster()
		a, rec := start(t, c)
		return &target{broadcaster: a, cluster: c, calls: newCalls(legacy.FromLegacy(legacy.AsLegacy(rec)))}
	},
	"legacy": func(t *testing.T) *target {
		c, b := newCluster(), legacy.NewBroadcaster(quiet)
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: c.CoreV1().Events("")})
		t.Cleanup(b.Shutdown)
		return &target{broadcaster: b, cluster: c, calls: oldCalls(b.Recorder(scheme.Scheme, corev1.EventSource{}))}
	},
}

func newTarget(t *testing.T, opts ...adapter.Option) *target {
	c := newCluster()
	a, rec := start(t, c, opts...)
	return &target{broadcaster: a, cluster: c, calls: newCalls(rec)}
}

// newCalls are the calls of events.k8s.io.
func newCalls(rec interface {
	events.AnnotatedEventRecorder
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
	Event(regarding, related runtime.Object, eventtype, reason, action, note string)
}) map[string]func(*attack) {
	return map[string]func(*attack){
		"Eventf": func(a *attack) {
			rec.Eventf(a.regarding, a.related, "Normal", a.reason, a.reason, a.note, a.args...)
		},
		"AnnotatedEventf": func(a *attack) {
			rec.AnnotatedEventf(a.regarding, a.related, a.annotations, "Warning", a.reason, "", a.note, a.args...)
		},
		"Event": func(a *attack) { rec.Event(a.regarding, a.related, "Normal", "", a.reason, a.note) },
	}
}

// oldCalls are those of core/v1.
func oldCalls(rec record.EventRecorder) map[string]func(*attack) {
	return map[string]func(*attack){
		"Eventf": func(a *attack) { rec.Eventf(a.regarding, "Normal", a.reason, a.note, a.args...) },
		"AnnotatedEventf": func(a *attack) {
			rec.AnnotatedEventf(a.regarding, a.annotations, "Warning", a.reason, a.note, a.args...)
		},
		"Event": func(a *attack) { rec.Event(a.regarding, "Normal", a.reason, a.note) },
	}
}

// attack is what a hostile caller passes to a recorder.
type attack struct {
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
		fixture.InBubble(t, name, func(t *testing.T) {
			target := newTarget(t)
			fine := attack{regarding: kinded("fine"), reason: "Started", note: "well"}
			var calls int64
			for i, one := range append(attacks(target), fine) {
				for kind, call := range target.calls {
					contained(t, fmt.Sprintf("%s of attack %d, note %.20q", kind, i, one.note), func() { call(&one) })
					calls++
				}
			}
			fixture.Flush(t, target.broadcaster)
			s := target.broadcaster.Stats()
			fixture.CheckConserved(t, s)
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

// attacks returns all of them, some of which call back.
func attacks(target *target) []attack {
	all := []attack{{reason: "Killing"}} // about nil
	add := func(reason, note string, annotations map[string]string, args ...any) {
		all = append(all, attack{kinded("web"), nil, annotations, reason, note, args})
	}
	explosions := []func(){
		func() { panic(nil) },
		func() { map[string]int(nil)["a"]++ },
		func() { panic(errors.New("oh")) },
		func() { panic(bomb{}) },
		func() { panic(strings.Repeat("x", 1<<14)) },
	}
	objects := objects()
	for i, explode := range explosions {
		for _, accessor := range []string{"GetObjectKind", "GetName", "GetUID", "GetResourceVersion", "GetObjectMeta"} {
			objects = append(objects, &trapped{Pod: *fixture.Pod("default", "web"), at: accessor, explode: explode})
		}
		for verb, arg := range map[string]any{
			"%v": texted{explode}, "%s": failed{explode}, "%d": formatted{explode}, "%+v": []any{&texted{explode}},
		} {
			add(fmt.Sprint("Arg", i, verb), "a "+verb+" b", nil, arg)
		}
	}
	for _, object := range objects {
		all = append(all, attack{object, nil, nil, "Killing", "", nil}, attack{kinded("web"), object, nil, "Killing", "", nil})
	}
	for i, note := range []string{
		"", "%", "%!(EXTRA", "%[9]d", "%*d", "%99999999999999999999d", "%s %s %s %s %s %s", "\x00", "\xff\xfe", "100%", "%#v %T %p",
		strings.Repeat("m", 1<<20), strings.Repeat("\xff", 1<<12), strings.Repeat("é", 511) + "\xc3", "\u2028\ud7ff\U0010ffff",
	} {
		add(fmt.Sprint("Note", i), note, nil)
		add(fmt.Sprint("Args", i), note, nil, 1, "two", nil, cyclic(), strings.Repeat("x", 1<<12), (*trapped)(nil), (*failed)(nil))
		add(note, "", nil)
	}
	many := map[string]string{"a": strings.Repeat("x", 1<<18), "": "", "\x00": "\xff", "a/b/c": "d", "eventseries.dev/latest-note": "mine"}
	for i := range 10_000 {
		many[fmt.Sprint("example.com/a", i)] = strings.Repeat("v", 1000)
	}
	add("Annotated", "", many)
	within := attack{regarding: kinded("within"), reason: "Within", note: "an arg's"}
	for kind, call := range target.calls {
		add("CallsBack"+kind, "%v", nil, texted{func() {
			target.extra++
			call(&within)
		}})
	}
	add("Flushes", "%v", nil, texted{func() {
		_ = target.broadcaster.Flush(context.Background())
		target.broadcaster.Stats()
	}})
	return all
}

// kinded is a pod that needs no scheme.
func kinded(name string) *corev1.Pod {
	pod := fixture.Pod("default", name)
	pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
	return pod
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

func (o *trapped) step(on string) {
	if o.at == on {
		o.explode()
	}
}

func (o *trapped) GetObjectKind() schema.ObjectKind {
	o.step("GetObjectKind")
	return &kinded("").TypeMeta
}
func (o *trapped) GetObjectMeta() metav1.Object   { o.step("GetObjectMeta"); return o }
func (o *trapped) GetName() string                { o.step("GetName"); return o.Name }
func (o *trapped) GetUID() types.UID              { o.step("GetUID"); return o.UID }
func (o *trapped) GetResourceVersion() string     { o.step("GetResourceVersion"); return "1" }
func (o *trapped) DeepCopyObject() runtime.Object { return o }

// texted, failed and formatted are the ways to be asked for a text.
type (
	texted    struct{ explode func() }
	failed    struct{ explode func() }
	formatted struct{ explode func() }
)

func (a texted) String() string            { a.explode(); return "a text" }
func (a failed) Error() string             { a.explode(); return "an error" }
func (a formatted) Format(fmt.State, rune) { a.explode() }

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
	long := strings.Repeat("long/\xff\x00", 1<<13)
	return []runtime.Object{
		(*corev1.Pod)(nil), (*trapped)(nil), (*corev1.ObjectReference)(nil), (*unstructured.Unstructured)(nil), (*headless)(nil),
		&corev1.ObjectReference{}, &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{},
		&corev1.PodList{}, &unstructured.UnstructuredList{}, &headless{}, &selfless{}, &metav1.Status{},
		&unstructured.Unstructured{Object: map[string]any{"kind": 1, "apiVersion": []any{}, "metadata": nil}},
		&unstructured.Unstructured{Object: map[string]any{"kind": "A", "apiVersion": "a/b/c", "metadata": map[string]any{
			"name": 7, "namespace": "default", "uid": map[string]any{},
		}}},
		&unstructured.Unstructured{Object: endless},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: long, ResourceVersion: long, APIVersion: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web", FieldPath: long},
		&corev1.ObjectReference{Kind: "Pod", Namespace: long, Name: "web"},
		&corev1.ObjectReference{Kind: "\x00", Namespace: "default", Name: "../\x00\xff", UID: "\xff"},
	}
}

// What is passed to a recorder is the caller's again when the call returns: here it is overwritten while it is written,
// and the race detector finds nobody who still reads it.
//
// Caught: no clone of the annotations in package legacy; any one text that is kept.
func TestNothingIsRetainedConcurrentSafe(t *testing.T) {
	for name, newTarget := range targets {
		fixture.InBubble(t, name, func(t *testing.T) {
			target := newTarget(t)
			var all sync.WaitGroup
			for _, call := range target.calls {
				for range 10 {
					memory := []byte("text")
					text := unsafe.String(&memory[0], len(memory))
					pod := &corev1.Pod{
						TypeMeta:   metav1.TypeMeta{Kind: text, APIVersion: "v1"},
						ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: text, UID: types.UID(text), ResourceVersion: text},
					}
					one := &attack{pod, pod, map[string]string{text: text}, text, "%v", []any{text}}
					call(one)
					all.Go(func() {
						copy(memory, "----")
						pod.Name, one.annotations["b"], one.args[0] = "changed", "new", "changed"
					})
				}
			}
			all.Wait()
			fixture.Flush(t, target.broadcaster)
			for _, e := range target.cluster.Events() {
				if text := fmt.Sprintf("%+v", e); e.Regarding.Name != "text" || strings.Contains(text, "----") || strings.Contains(text, "changed") {
					t.Errorf("what was recorded changed with the arguments: %s", text)
				}
			}
		})
	}
}
