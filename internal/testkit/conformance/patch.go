// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/request"
)

// patches checks which Event is stored after a patch that changes the series, repeats an earlier
// patch, changes annotations, contains an unknown field, or has no resourceVersion.
func patches(c *trial) {
	event := c.event()
	version := c.mustCreate(event).version()
	patch := func(data func(version string) []byte) {
		a := c.patch(event, data(version))
		if !a.succeeds() && !a.filtered() {
			c.fatal("%s; the patch was %s", a, data(version))
		}
		version = a.version()
		c.checkStored("after a patch", event)
	}
	series := func(version string) []byte { return seriesPatch(event, version, nil) }

	event = counted(event, 2)
	patch(series)
	event = counted(event, 50)
	patch(series)
	// An answer may be lost, so the same patch may be sent again. It must not be added to the
	// count.
	patch(series)
	event = annotated(counted(event, 51), "example.com/note", "the latest")
	patch(func(version string) []byte {
		return seriesPatch(event, version, map[string]string{"example.com/note": "the latest"})
	})
	event = counted(event, 52)
	patch(func(version string) []byte {
		return append([]byte(`{"ofALaterVersion":{"of":["the SDK"]},`), series(version)[1:]...)
	})
	event = counted(event, 53)
	patch(func(string) []byte { return seriesPatch(event, "", nil) })
}

// emptyPatch checks that the patch {} changes nothing and that its answer is the stored Event. It
// tests one Event whose series was written by a Create, and one whose series was written by a
// Patch.
func emptyPatch(c *trial) {
	series := counted(c.event(), 2)
	c.readTwice(series, c.mustCreate(series).version())

	event := c.event()
	version := c.mustCreate(event).version()
	event = counted(event, 3)
	c.readTwice(event, c.mustSucceed(c.patch(event, seriesPatch(event, version, nil))).version())
}

// readTwice sends the patch {} twice. It checks that the Event in each answer equals event, and
// that the resourceVersion does not change.
func (c *trial) readTwice(event *eventsv1.Event, version string) {
	c.t.Helper()
	for range 2 {
		passed := withoutSeries(event)
		a := c.patch(passed, []byte("{}"))
		if !a.succeeds() && !a.filtered() {
			c.fatal("%s; the patch was {}", a)
		}
		if a.reportsStored(passed) {
			c.same("a patch of {} returns", event, a.event)
		}
		if reported := a.version(); version != "" && reported != "" && version != reported {
			c.fail("a patch of {} changed the resourceVersion from %s to %s", version, reported)
		}
		version = a.version()
	}
}

// missingEvent checks that a Patch of an Event that is not stored either succeeds or returns
// NotFound. If it returns NotFound, a Create of the Event must succeed afterwards.
func missingEvent(c *trial) {
	// An Event that has expired had a version. The version of another Event stands for it.
	version := c.mustCreate(c.event()).version()
	for _, data := range []func(*eventsv1.Event) []byte{
		func(e *eventsv1.Event) []byte { return seriesPatch(e, version, nil) },
		func(*eventsv1.Event) []byte { return []byte("{}") },
	} {
		missing := counted(c.event(), 7)
		a := c.patch(missing, data(missing))
		if !a.is(request.Stored, request.Recreate) && !a.filtered() {
			c.fatal("%s; there is no such Event, so return apierrors.NewNotFound(…, name)", a)
		}
		if !a.is(request.Recreate) {
			continue
		}
		again := c.create(missing)
		if again.exists() {
			c.fatal("Patch does not find the Event, but %s", again)
		}
		c.mustSucceed(again)
		c.checkStored("after it was created anew", missing)
	}
}

// staleVersion checks that a patch for an earlier version is refused with a Conflict. It skips the
// rule if the sink returns no resourceVersion.
func staleVersion(c *trial) {
	event := c.event()
	first := c.mustCreate(event).version()
	if first == "" {
		c.t.Skipf("the sink returns no resourceVersion")
	}
	event = counted(event, 8)
	second := c.mustSucceed(c.patch(event, seriesPatch(event, first, nil))).version()
	if second == "" {
		second = c.version(event)
	}
	if second == first {
		c.fatal("the resourceVersion is %s both before and after a patch", first)
	}
	late := counted(event, 4)
	if a := c.patch(late, seriesPatch(late, first, nil)); !a.is(request.Resend) {
		c.fatal("%s; the patch has the resourceVersion %s, but the Event has %q", a, first, second)
	}
	c.checkStored("after a patch for an earlier version", event)
	event = counted(event, 9)
	if a := c.patch(event, seriesPatch(event, second, nil)); !a.succeeds() {
		c.fail("%s; the patch has the resourceVersion that the sink returned last, %q", a, second)
	}
}
