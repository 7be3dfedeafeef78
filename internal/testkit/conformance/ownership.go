// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"reflect"
	"runtime"
	"sync"
	"weak"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func argumentsUnchanged(c *trial) {
	check := func(call string, event, before *eventsv1.Event, patch, patchBefore []byte) {
		c.t.Helper()
		if !reflect.DeepEqual(before, event) {
			c.fail("%s changed the event that it was given, from\n  %+v\nto\n  %+v", call, before, event)
		}
		if !bytes.Equal(patchBefore, patch) {
			c.fail("%s changed the patch that it was given, from %q to %q", call, patchBefore, patch)
		}
	}
	event := c.event()
	before := event.DeepCopy()
	version := c.mustCreate(event).version()
	check("Create", event, before, nil, nil)

	event = annotated(counted(event, 2), "example.com/note", "new")
	patch := seriesPatch(event, version, map[string]string{"example.com/note": "new"})
	before, patchBefore := event.DeepCopy(), bytes.Clone(patch)
	c.patch(event, patch)
	check("Patch", event, before, patch, patchBefore)

	event, patch = withoutSeries(event), []byte("{}")
	before, patchBefore = event.DeepCopy(), bytes.Clone(patch)
	c.patch(event, patch)
	check("Patch with {}", event, before, patch, patchBefore)
}

func argumentsNotRetained(c *trial) {
	c.mustCreate(c.event())
	var all sync.WaitGroup
	for range 4 { // some calls are always under way while others' arguments change
		all.Go(func() { c.overwriteArguments() })
	}
	all.Wait()
	kept := c.callAndForget()
	for range 20 { // a connection, say, may let go of the last body a little later
		runtime.GC()
		if kept.none() {
			return
		}
	}
	for what, value := range kept {
		if value() {
			c.fail("%s is still in memory after the call; keep a DeepCopy, or what you need of it", what)
		}
	}
}

// overwritesArguments changes all that it has passed right after each call.
func (c *trial) overwriteArguments() {
	event := c.event()
	want := counted(event, 2)
	version := c.create(event).version()
	overwrite(event)
	event = want.DeepCopy()
	patch := seriesPatch(event, version, nil)
	c.patch(event, patch)
	overwrite(event)
	for i := range patch {
		patch[i] = 'x'
	}
	c.checkStored("after the caller has used the arguments for something else", want)
}

// overwrite changes what event holds and refers to.
func overwrite(event *eventsv1.Event) {
	for key := range event.Annotations {
		event.Annotations[key] = "overwritten"
	}
	if event.Related != nil {
		*event.Related = corev1.ObjectReference{Name: "overwritten"}
	}
	if event.Series != nil {
		*event.Series = eventsv1.EventSeries{Count: 99}
	}
	event.ObjectMeta = metav1.ObjectMeta{Namespace: "overwritten", Name: "overwritten", Annotations: event.Annotations}
	event.Regarding, event.EventTime = corev1.ObjectReference{}, metav1.MicroTime{}
	event.ReportingController, event.ReportingInstance = "overwritten", "overwritten"
	event.Type, event.Reason, event.Action, event.Note = "overwritten", "overwritten", "overwritten", "overwritten"
}

// memory tells what of the arguments of calls is still there.
type retained map[string]func() bool

func (m retained) none() bool {
	for _, there := range m {
		if there() {
			return false
		}
	}
	return true
}

func watch[T any](value *T) func() bool {
	pointer := weak.Make(value)
	return func() bool { return pointer.Value() != nil }
}

// passesOn makes two calls with arguments that it has no hold of afterwards. Inlined, they would stay on the stack.
//
//go:noinline
func (c *trial) callAndForget() retained {
	event := counted(c.event(), 2)
	version := c.create(event).version()
	patched := counted(event, 3)
	patch := seriesPatch(patched, version, nil)
	c.patch(patched, patch)
	return retained{
		"the event passed to Create":    watch(event),
		"its related object":            watch(event.Related),
		"its series":                    watch(event.Series),
		"the event passed to Patch":     watch(patched),
		"the patch":                     watch(&patch[0]),
		"the related object in a Patch": watch(patched.Related),
		"the series in a Patch":         watch(patched.Series),
	}
}

func answerNotRetained(c *trial) {
	event := c.event()
	created := c.mustCreate(event)
	if created.event == nil || created.event == event {
		c.t.Skipf("the sink answers no event of its own")
	}
	kept := created.event.DeepCopy()
	want := counted(event, 2)
	patched := c.mustSucceed(c.patch(want.DeepCopy(), seriesPatch(want, created.version(), nil)))
	if !reflect.DeepEqual(kept, created.event) {
		c.fail("the event that Create answered changed with a later Patch")
	}
	overwrite(created.event)
	if patched.event != nil {
		overwrite(patched.event)
	}
	c.checkStored("after the caller has changed the events that it was answered", want)
}
