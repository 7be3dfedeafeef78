// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// call is one call of a recorder with its arguments.
type call struct {
	controller, kind, reason, action, note string
	regarding                              *corev1.ObjectReference
	related                                runtime.Object
	annotations, labels                    map[string]string
}

func podStarted() call {
	return call{
		controller: "example.com/kubelet", kind: "Normal", reason: "Started", action: "Start", note: "started",
		regarding: &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "1", ResourceVersion: "7",
			FieldPath: "spec.containers{web}",
		},
	}
}

// component is one process that records, and the server that it writes to.
type component struct {
	*events.Broadcaster
	server *eventstest.Sink
}

func newComponent(t *testing.T, server *eventstest.Sink) *component {
	b := events.NewBroadcaster(server, events.WithLogger(klog.Logger{}))
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &component{b, server}
}

func (c *component) says(what call) {
	recorder := c.NewRecorder(scheme.Scheme, what.controller).(*events.Recorder).WithLabels(what.labels)
	recorder.AnnotatedEventf(what.regarding, what.related, what.annotations,
		what.kind, what.reason, what.action, "%s", what.note)
}

// counts returns the counts of the Events on the server, in the order of their creation.
func (c *component) counts() string {
	var all []string
	for _, e := range c.server.Events() {
		n := int32(1)
		if e.Series != nil {
			n = e.Series.Count
		}
		all = append(all, fmt.Sprintf("×%d", n))
	}
	return strings.Join(all, ", ")
}

// Two occurrences that differ in one field make one Event with count 2, or two Events with count 1.
//
// Caught: a key with the resourceVersion; one without the field path.
func TestSeriesSaysWhatIsIsomorphic(t *testing.T) {
	verdicts := map[string][]string{}
	for _, difference := range []struct {
		name string
		make func(*call)
	}{
		{"time", func(*call) {}},
		{"note", func(c *call) { c.note = "started again" }},
		{"annotation", func(c *call) { c.annotations = map[string]string{"example.com/try": "2"} }},
		{"label", func(c *call) { c.labels = map[string]string{"example.com/try": "2"} }},
		{"resourceVersion of the object", func(c *call) { c.regarding.ResourceVersion = "8" }},
		{"version of the object's API", func(c *call) { c.regarding.APIVersion = "v2" }},
		{"UID of the object", func(c *call) { c.regarding.UID = "2" }},
		{"field path (the container)", func(c *call) { c.regarding.FieldPath = "spec.containers{log}" }},
		{"related object", func(c *call) { c.related = web }},
		{"type", func(c *call) { c.kind = "Warning" }},
		{"reason", func(c *call) { c.reason = "Restarted" }},
		{"action", func(c *call) { c.action = "Restart" }},
		{"reporting controller", func(c *call) { c.controller = "example.com/other" }},
	} {
		component := newComponent(t, eventstest.NewSink())
		second := podStarted()
		difference.make(&second)
		component.says(podStarted())
		component.says(second)
		component.Shutdown()
		counts := component.counts()
		verdicts[counts] = append(verdicts[counts], difference.name)
	}
	shows(t, "series.md", "isomorphic", table([]string{"differs", "so they are"},
		[]string{strings.Join(verdicts["×2"], ", "), "one Event, ×2"},
		[]string{strings.Join(verdicts["×1, ×1"], ", "), "two Events, ×1 each"}))
	if len(verdicts) != 2 {
		t.Errorf("the counts are %v, want ×2, or ×1 and ×1", verdicts)
	}
}

// Two occurrences and a third one later, with something between them.
//
// Caught: a series that lives through seven minutes of silence.
func TestSeriesSaysWhatEndsIt(t *testing.T) {
	rows := [][]string{{"between the second and the third occurrence", "the series"}}
	for _, between := range []struct {
		name string
		pass func(t *testing.T, c *component) *component // who says the third
	}{
		{"5 minutes pass", wait(5 * time.Minute)},
		{"7 minutes pass", wait(7 * time.Minute)},
		{"`Flush`", func(t *testing.T, c *component) *component {
			if err := c.Flush(t.Context()); err != nil {
				t.Error(err)
			}
			return c
		}},
		{"somebody deletes the Event, or it expires", func(t *testing.T, c *component) *component {
			for _, e := range c.server.Events() {
				c.server.Expire(e.Namespace, e.Name)
			}
			return c
		}},
		{"the component restarts", func(t *testing.T, c *component) *component {
			c.Shutdown()
			return newComponent(t, c.server)
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newComponent(t, eventstest.NewSink())
			c.says(podStarted())
			c.says(podStarted())
			synctest.Wait()
			c = between.pass(t, c)
			c.says(podStarted())
			c.Shutdown()
			rows = append(rows, []string{between.name, map[string]string{"×3": "goes on", "×2, ×1": "has ended"}[c.counts()]})
		})
	}
	shows(t, "series.md", "ends", table(rows...))
}

func wait(d time.Duration) func(*testing.T, *component) *component {
	return func(_ *testing.T, c *component) *component {
		time.Sleep(d)
		return c
	}
}
