// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"math"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// valid lists Events that a kube-apiserver accepts. Each is described as a change to an Event in
// which every field is set.
var valid = []struct {
	what   string
	change func(*eventsv1.Event)
}{
	{"everything", func(*eventsv1.Event) {}},
	{"a warning", func(e *eventsv1.Event) { e.Type = corev1.EventTypeWarning }},
	{"no more than it must have", func(e *eventsv1.Event) {
		e.Note = ""
		e.Related = nil
		e.Annotations = nil
		e.Regarding = corev1.ObjectReference{
			Kind:      e.Regarding.Kind,
			Namespace: e.Namespace,
			Name:      e.Regarding.Name,
		}
	}},
	{"a note of 1024 bytes", func(e *eventsv1.Event) { e.Note = strings.Repeat("n", 1024) }},
	{"a reason, an action and an instance of 128 bytes", func(e *eventsv1.Event) {
		e.Reason = strings.Repeat("R", 128)
		e.Action = strings.Repeat("A", 128)
		e.ReportingInstance = strings.Repeat("i", 128)
	}},
	{"a name of 253 bytes", func(e *eventsv1.Event) { e.Name += strings.Repeat("x", 253-len(e.Name)) }},
	{"letters, quotes and line breaks of all sorts", func(e *eventsv1.Event) {
		e.Reason = "Außer Betrieb"
		e.Action = "停止"
		e.Note = "\"{}\\\r\n\t\u2028%!s 🛑 \U0010FFFD\x00"
	}},
	{"64 KiB of annotations", func(e *eventsv1.Event) {
		e.Annotations = map[string]string{"example.com/log": strings.Repeat("a", 64<<10)}
	}},
	{"about a cluster-scoped object", func(e *eventsv1.Event) {
		e.Regarding.Kind = "Node"
		e.Regarding.Namespace = ""
	}},
	{"about a cluster-scoped object, in kube-system", func(e *eventsv1.Event) {
		e.Namespace = another
		e.Regarding.Kind = "Node"
		e.Regarding.Namespace = ""
	}},
	{"related to an object in another namespace", func(e *eventsv1.Event) {
		e.Related = &corev1.ObjectReference{
			APIVersion: "apps/v1",
			Kind:       "Deployment",
			Namespace:  another,
			Name:       "dns",
		}
	}},
	{"a time in another zone, to the nanosecond", func(e *eventsv1.Event) {
		e.EventTime = metav1.NewMicroTime(time.Now().In(time.FixedZone("IST", 19800)))
	}},
	{"two occurrences before the first write", func(e *eventsv1.Event) { e.Series = counted(e, 2).Series }},
	{"more occurrences than a count can say", func(e *eventsv1.Event) {
		e.Series = &eventsv1.EventSeries{Count: math.MaxInt32, LastObservedTime: e.EventTime}
	}},
}

// validEvents checks that the sink accepts or filters each of the valid Events.
func validEvents(c *trial) {
	for _, row := range valid {
		event := c.event()
		row.change(event)
		switch a := c.create(event); {
		case a.exists():
			c.fail("%s: %s, though the name is new", row.what, a)
		case !a.succeeds() && !a.filtered():
			c.fail("%s: %s", row.what, a)
		}
	}
}

// answersWithTheEvent checks that an Event in an answer is the one that was written.
func answersWithTheEvent(c *trial) {
	check := func(event *eventsv1.Event, a answer) {
		c.t.Helper()
		c.mustSucceed(a)
		if a.err == nil && a.event != nil {
			c.same(a.call+" returned", event, a.event)
		}
	}
	series := counted(c.event(), 2)
	check(series, c.mustCreate(series))
	event := c.event()
	created := c.mustCreate(event)
	check(event, created)
	event = counted(event, 2)
	check(event, c.patch(event, seriesPatch(event, created.version(), nil)))
}

// repeatedCreate checks that the second Create of an Event succeeds, or is answered with
// AlreadyExists.
func repeatedCreate(c *trial) {
	for _, event := range []*eventsv1.Event{c.event(), counted(c.event(), 3)} {
		c.mustCreate(event)
		if again := c.create(event); !again.succeeds() && !again.filtered() {
			c.fail("the second %s", again)
		}
		c.checkStored("after two Creates of it", event)
	}
}

// namespaces checks that two Events of one name in two namespaces do not affect each other.
func namespaces(c *trial) {
	one := c.event()
	other := one.DeepCopy()
	other.Namespace = another
	other.Regarding.Namespace = another
	other.Note = "stopping the other one"
	c.mustCreate(one)
	created := c.create(other)
	if created.exists() {
		c.fatal("%s, though the name is new in this namespace", created)
	}
	c.mustSucceed(created)
	c.checkStored("after an event of this name in another namespace", one)
	other = counted(other, 2)
	c.mustSucceed(c.patch(other, seriesPatch(other, created.version(), nil)))
	c.checkStored("after a patch of its namesake in another namespace", one)
	c.checkStored("after a patch", other)
}
