// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// namespaces are the namespaces of the objects. The first one is never deleted.
var namespaces = []string{metav1.NamespaceDefault, "bank", "mail", "shop"}

// happenings are the events that may be recorded about an object.
var happenings = []struct{ eventType, reason, action string }{
	{corev1.EventTypeNormal, "Pulled", "Pulling"},
	{corev1.EventTypeWarning, "BackOff", "Restarting"},
	{corev1.EventTypeNormal, "Started", "Starting"},
	{corev1.EventTypeWarning, "Unhealthy", "Probing"},
}

// style is the way in which an event is recorded.
type style int

const (
	plain style = iota
	// numbered has a different note each time.
	numbered
	// varied has one of a few notes.
	varied
	// long has a note that is longer than the server accepts.
	long
	// verbatim has a note that looks like a format string.
	verbatim
	// related has a related object.
	related
	// annotated has the same annotation each time.
	annotated
	// annotatedAnew has another value of the annotation each time.
	annotatedAnew
	// madeUp has another reason and another part of the object each time.
	madeUp
	// oldShape uses a recorder with the methods of client-go's tools/record.
	oldShape
	// noObject, nilObject and oddType are calls of which no Event can be made.
	noObject
	nilObject
	oddType
	// styles is the number of styles.
	styles
)

func (s style) String() string {
	return [...]string{"plain", "numbered", "varied", "long", "verbatim", "related", "annotated", "annotated anew",
		"made up", "old shape", "no object", "nil object", "odd type"}[s]
}

// emit lets a component record n occurrences about width objects in turn.
func (w *world) emit(args []int) {
	c := w.slots[args[0]%len(w.slots)]
	first, n, width, happening, how := args[1], args[2], args[3], args[4], style(args[5])
	gap := time.Duration(args[6]) * time.Second
	for i := range n {
		if i > 0 && gap > 0 {
			w.pass(gap)
		}
		w.record(c, first+i%max(width, 1), happening, how)
		if len(w.violations) > 0 {
			return
		}
	}
	w.count(how, n)
}

func (w *world) count(how style, n int) {
	w.coverage["occurrences/recorded"] += int64(n)
	w.coverage["style/"+how.String()] += int64(n)
}

// record makes one call of a recorder. The call must not block (I2), so the time of the bubble does not advance.
func (w *world) record(c *component, object, happening int, how style) {
	// No two occurrences may have the same time, because the order of their deadlines would be
	// random.
	time.Sleep(time.Microsecond)
	about, what := w.object(object), happenings[happening%len(happenings)]
	eventType := what.eventType
	if how == oddType {
		eventType = unknownType
	}
	began := time.Now()
	note := fmt.Sprintf("variant %d", w.emitted%3)
	w.emitted++
	switch how {
	case plain, oddType:
		c.recorder.Eventf(about, nil, eventType, what.reason, what.action, "it happened")
	case numbered:
		c.recorder.Eventf(about, nil, eventType, what.reason, what.action, "attempt %d", w.emitted)
	case varied:
		c.recorder.Eventf(about, nil, eventType, what.reason, "", note)
	case long:
		c.recorder.Event(about, nil, eventType, what.reason, what.action, strings.Repeat("é", 1500)+"\xff")
	case verbatim:
		c.recorder.Event(about, nil, eventType, what.reason, what.action, "%d of %s")
	case related:
		c.recorder.Eventf(about, w.object(object+1), eventType, what.reason, what.action, "it happened")
	case annotated:
		c.annotate(about, "same", eventType, what.reason, what.action)
	case annotatedAnew:
		c.annotate(about, note, eventType, what.reason, what.action)
	case madeUp:
		what.reason = w.madeUpReason()
		c.recorder.Eventf(w.partOf(object), nil, eventType, what.reason, what.action, "it happened")
	case oldShape:
		c.old.Eventf(about, eventType, what.reason, "%s", note)
	case noObject:
		c.recorder.Eventf(nil, nil, eventType, what.reason, what.action, note)
	case nilObject:
		c.recorder.Eventf((*corev1.Pod)(nil), nil, eventType, what.reason, what.action, note)
	}
	if waited := time.Since(began); waited > 0 {
		w.fail("I2: recording to %s took %v", c.name, waited)
	}
	// An aggregate of package legacy is named by its time, so it must not have the time of this occurrence.
	time.Sleep(time.Nanosecond)
	of := invalid
	if how < noObject {
		of = c.counts.bucketOf(w.reference(object), what.eventType, what.reason)
		if c.watching != nil && !c.ending {
			c.counts.watching++
		}
	}
	if of != invalid {
		c.expect(of, how)
	}
	c.counts.observed++
	c.counts.emitted[of]++
	if of != invalid && w.leavesOut(c, object, happening, how) {
		c.counts.unselected++
	}
	w.runUntilIdle()
}

func (c *component) annotate(about runtime.Object, value, eventType, reason, action string) {
	annotations := map[string]string{"example.com/note": value}
	c.recorder.AnnotatedEventf(about, nil, annotations, eventType, reason, action, "it happened")
}

// object returns the i-th object, with a new resourceVersion each time.
func (w *world) object(i int) runtime.Object {
	ref := w.reference(i)
	meta := metav1.ObjectMeta{
		Namespace: ref.Namespace, Name: ref.Name, UID: ref.UID, ResourceVersion: fmt.Sprint(w.emitted + 1),
	}
	switch ref.Kind {
	case "Node":
		return &corev1.Node{ObjectMeta: meta}
	case "Container":
		ref.Kind = "Pod"
		return ref
	default:
		return &corev1.Pod{ObjectMeta: meta}
	}
}

// reference returns the reference of the i-th object. Of eight objects, one is cluster-scoped and one is a part of a
// pod.
func (w *world) reference(i int) *corev1.ObjectReference {
	ref := &corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: namespaces[i%len(namespaces)], Name: fmt.Sprintf("object-%d", i),
		UID: types.UID(fmt.Sprintf("uid-%d", i)),
	}
	if i >= tenantObject {
		ref.Namespace = fmt.Sprintf("tenant-%d", i%tenants)
	}
	switch i % 8 {
	case 6:
		ref.Kind, ref.Namespace = "Node", ""
	case 7:
		ref.Kind, ref.FieldPath = "Container", "spec.containers{main}"
	}
	return ref
}
