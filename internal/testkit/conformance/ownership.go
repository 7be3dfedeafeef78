// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"bytes"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// argumentsUnchanged checks that no call changes its arguments.
func argumentsUnchanged(c *trial) {
	event := c.event()
	version := c.callUnchanged(event, nil)
	event = annotated(counted(event, 2), "example.com/note", "new")
	c.callUnchanged(event, seriesPatch(event, version, map[string]string{"example.com/note": "new"}))
	c.callUnchanged(withoutSeries(event), []byte("{}"))
}

// callUnchanged calls the sink and checks that the call does not change its arguments. The call is
// a Create if patch is nil, and a Patch otherwise. callUnchanged returns the version in the answer.
func (c *trial) callUnchanged(event *eventsv1.Event, patch []byte) (version string) {
	c.t.Helper()
	before, patchBefore := event.DeepCopy(), bytes.Clone(patch)
	var a answer
	if patch == nil {
		a = c.mustCreate(event)
	} else {
		a = c.patch(event, patch)
	}
	if !reflect.DeepEqual(before, event) {
		c.fail("%s, and changed the Event that was passed to it, from\n  %+v\nto\n  %+v", a, before, event)
	}
	if !bytes.Equal(patchBefore, patch) {
		c.fail("%s, and changed the patch that was passed to it, from %q to %q", a, patchBefore, patch)
	}
	return a.version()
}

// argumentsNotRetained checks that the sink does not use its arguments after a call.
func argumentsNotRetained(c *trial) {
	want := counted(c.event(), 2)
	event := want.DeepCopy()
	version := c.mustCreate(event).version()
	overwrite(event)
	c.checkStored("after the caller has changed the Event that it passed to Create", want)
	want = counted(want, 3)
	event = want.DeepCopy()
	patch := seriesPatch(want, version, nil)
	c.mustSucceed(c.patch(event, patch))
	overwrite(event)
	clear(patch)
	c.checkStored("after the caller has changed the Event and the patch that it passed to Patch", want)
}

// answerNotRetained checks that the sink and its caller do not share the Event in an answer.
func answerNotRetained(c *trial) {
	event := c.event()
	created := c.mustCreate(event)
	if created.event == nil || created.event == event {
		c.t.Skipf("the sink does not return an Event of its own")
	}
	kept := created.event.DeepCopy()
	want := counted(event, 2)
	patched := c.mustSucceed(c.patch(want.DeepCopy(), seriesPatch(want, created.version(), nil)))
	if !reflect.DeepEqual(kept, created.event) {
		c.fail("a later Patch changed the Event that Create had returned")
	}
	overwrite(created.event)
	if patched.event != nil {
		overwrite(patched.event)
	}
	c.checkStored("after the caller has changed the Events that the sink returned", want)
}

// overwrite changes an Event and the objects that it points to.
func overwrite(event *eventsv1.Event) {
	clear(event.Annotations)
	if event.Related != nil {
		*event.Related = corev1.ObjectReference{}
	}
	if event.Series != nil {
		*event.Series = eventsv1.EventSeries{}
	}
	event.Name = ""
	event.Note = ""
	event.Reason = ""
	event.Regarding.Name = ""
}
