// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// long is n bytes.
func long(n int) string { return strings.Repeat("x", n) }

type repairCase struct {
	name                          string
	reason, action, note, related string // related: "" for none, "nil" for a typed nil, "unknown" for an unknown kind
	controller, instance          string
	annotations, labels           map[string]string
	repaired                      []events.Repair
	check                         func(e *eventsv1.Event) (got, want any)
}

func reasonOf(want string) func(*eventsv1.Event) (any, any) {
	return func(e *eventsv1.Event) (any, any) { return e.Reason, want }
}

func actionOf(want string) func(*eventsv1.Event) (any, any) {
	return func(e *eventsv1.Event) (any, any) { return e.Action, want }
}

func noteOf(want string) func(*eventsv1.Event) (any, any) {
	return func(e *eventsv1.Event) (any, any) { return e.Note, want }
}

func controllerOf(want string) func(*eventsv1.Event) (any, any) {
	return func(e *eventsv1.Event) (any, any) { return e.ReportingController, want }
}

func instanceOf(want string) func(*eventsv1.Event) (any, any) {
	return func(e *eventsv1.Event) (any, any) { return e.ReportingInstance, want }
}

func repaired(kinds ...events.Repair) []events.Repair { return kinds }

var hostname, _ = os.Hostname()

var repairCases = []repairCase{
	{name: "nothing", check: reasonOf("Killing")},
	{name: "no action", action: "-", repaired: repaired(events.RepairAction), check: actionOf("Killing")},
	{name: "no reason", reason: "-", repaired: repaired(events.RepairReason), check: reasonOf("Kill")},
	{
		name: "neither", reason: "-", action: "-", repaired: repaired(events.RepairReason, events.RepairAction),
		check: func(e *eventsv1.Event) (any, any) { return e.Reason + " " + e.Action, "Unspecified Unspecified" },
	},
	{name: "reason of 128", reason: long(128), check: reasonOf(long(128))},
	{name: "reason of 129", reason: long(129), repaired: repaired(events.RepairLength), check: reasonOf(long(128))},
	{
		name: "reason cut at a rune", reason: long(127) + "é", repaired: repaired(events.RepairLength),
		check: reasonOf(long(127)),
	},
	{name: "action of 1000", action: long(1000), repaired: repaired(events.RepairLength), check: actionOf(long(128))},
	{
		name: "reason in no encoding", reason: "a\xffb", repaired: repaired(events.RepairUTF8),
		check: reasonOf("a\uFFFDb"),
	},
	{
		name: "reason too long in U+FFFD", reason: long(127) + "\xff",
		repaired: repaired(events.RepairLength, events.RepairUTF8), check: reasonOf(long(127)),
	},
	{name: "note of 1024", note: long(1024), check: noteOf(long(1024))},
	{name: "note of 1025", note: long(1025), repaired: repaired(events.RepairNote), check: noteOf(long(1021) + "…")},
	{
		name: "note of 2-byte runes", note: strings.Repeat("é", 513), repaired: repaired(events.RepairNote),
		check: noteOf(strings.Repeat("é", 510) + "…"),
	},
	{
		name: "note cut within 4-byte runes", note: strings.Repeat("😀", 300), repaired: repaired(events.RepairNote),
		check: noteOf(strings.Repeat("😀", 255) + "…"),
	},
	{
		// 1024 bytes, but the server counts the three of U+FFFD.
		name: "note that grows when decoded", note: long(1023) + "\xe2",
		repaired: repaired(events.RepairNote, events.RepairUTF8), check: noteOf(long(1021) + "…"),
	},
	{
		name: "note of a megabyte", note: long(1 << 20), repaired: repaired(events.RepairNote),
		check: noteOf(long(1021) + "…"),
	},
	{
		name: "related of unknown kind", related: "unknown", repaired: repaired(events.RepairRelated),
		check: func(e *eventsv1.Event) (any, any) { return e.Related == nil, true },
	},
	{
		name: "typed nil related", related: "nil", repaired: repaired(events.RepairRelated),
		check: func(e *eventsv1.Event) (any, any) { return e.Related == nil, true },
	},
	{
		name: "related", related: "pod",
		check: func(e *eventsv1.Event) (any, any) { return e.Related.Name, "pod" },
	},
	{name: "controller", controller: "Kubelet_1.x", check: controllerOf("Kubelet_1.x")},
	{
		name: "empty controller", controller: "-", repaired: repaired(events.RepairController),
		check: controllerOf("unknown"),
	},
	{
		name: "controller with a space", controller: "my controller", repaired: repaired(events.RepairController),
		check: controllerOf("my-controller"),
	},
	{
		name: "controller with a capital prefix", controller: "Example.COM/x",
		repaired: repaired(events.RepairController), check: controllerOf("example.com/x"),
	},
	{
		name: "controller with two slashes", controller: "a/b/c", repaired: repaired(events.RepairController),
		check: controllerOf("a/b-c"),
	},
	{
		name: "controller of a long prefix", controller: long(64) + "/c", check: controllerOf(long(64) + "/c"),
	},
	{
		name: "controller of a long prefix that is repaired", controller: long(62) + ".X/c",
		repaired: repaired(events.RepairController), check: controllerOf(long(62) + "/c"),
	},
	{
		name: "controller of a bad prefix", controller: "a..b/c", repaired: repaired(events.RepairController),
		check: controllerOf("c"),
	},
	{
		name: "controller of a prefix alone", controller: "example.com/", repaired: repaired(events.RepairController),
		check: controllerOf("example.com"),
	},
	{
		name: "long controller", controller: long(64), repaired: repaired(events.RepairController),
		check: controllerOf(long(63)),
	},
	{
		name: "controller of nothing", controller: "///", repaired: repaired(events.RepairController),
		check: controllerOf("unknown"),
	},
	{
		name: "default instance", instance: "-",
		check: instanceOf(controller + "-" + hostname),
	},
	{name: "instance", instance: "replica-0", check: instanceOf("replica-0")},
	{
		name: "long instance", instance: long(200), repaired: repaired(events.RepairInstance),
		check: func(e *eventsv1.Event) (any, any) {
			return len(e.ReportingInstance) == 128 && strings.HasPrefix(e.ReportingInstance, long(111)+"-"), true
		},
	},
	{
		name: "instance in no encoding", instance: "a\xff", repaired: repaired(events.RepairUTF8),
		check: instanceOf("a\uFFFD"),
	},
	{
		name: "annotation with a bad key", annotations: map[string]string{"a b": "1", "c": "2"},
		repaired: repaired(events.RepairAnnotations),
		check:    func(e *eventsv1.Event) (any, any) { return e.Annotations, map[string]string{"c": "2"} },
	},
	{
		name: "labels", labels: map[string]string{"app": "web", "team": "no such value", "a b": "x"},
		repaired: repaired(events.RepairLabels),
		check:    func(e *eventsv1.Event) (any, any) { return e.Labels, map[string]string{"app": "web"} },
	},
}

// emit records the occurrence of the case; "-" stands for empty.
func (c *repairCase) emit(b *events.Broadcaster) {
	or := func(s, usual string) string {
		switch s {
		case "":
			return usual
		case "-":
			return ""
		}
		return s
	}
	var related kruntime.Object
	switch c.related {
	case "nil":
		related = (*corev1.Pod)(nil)
	case "unknown":
		related = &unregistered{}
	case "pod":
		related = newPod("pod")
	}
	rec := b.NewRecorder(scheme.Scheme, or(c.controller, controller)).(*events.Recorder)
	if c.labels != nil {
		rec = rec.WithLabels(c.labels)
	}
	rec.AnnotatedEventf(newPod("web"), related, c.annotations, "Normal",
		or(c.reason, "Killing"), or(c.action, "Kill"), or(c.note, "note"))
}

func (c *repairCase) options() []events.Option {
	if c.instance == "-" {
		return nil
	}
	if c.instance == "" {
		return []events.Option{events.WithReportingInstance("replica")}
	}
	return []events.Option{events.WithReportingInstance(c.instance)}
}

// Repair, don't reject: each repair is counted by kind and logged once per recorder and kind, and the server takes it.
func TestRepairs(t *testing.T) {
	for _, c := range repairCases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink, log := eventstest.NewSink(), &testlog.Log{}
				b, _ := start(t, sink, append(c.options(), events.WithLogger(klog.New(log)))...)
				log.Take() // the fixture's recorder has an instance too
				before := b.Stats().Repaired
				c.emit(b)
				flush(t, b)
				e := only(t, sink)
				got, want := c.check(&e)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				var kinds []events.Repair
				after := b.Stats().Repaired
				for _, kind := range allRepairs {
					if after[kind] != before[kind] {
						kinds = append(kinds, kind)
					}
				}
				if diff := cmp.Diff(c.repaired, kinds); diff != "" {
					t.Errorf("Repaired (-want +got):\n%s", diff)
				}
				if n := len(log.Take()); n != len(c.repaired) {
					t.Errorf("%d lines, want one per kind of repair", n)
				}
			})
		})
	}
}

var allRepairs = []events.Repair{
	events.RepairReason, events.RepairAction, events.RepairLength, events.RepairNote, events.RepairUTF8,
	events.RepairInstance, events.RepairController, events.RepairAnnotations, events.RepairRelated,
	events.RepairLabels,
}

// WithStrict refuses instead of repairing, also every event of a recorder that itself needs repair.
func TestStrictRefusesWhatNeedsRepair(t *testing.T) {
	for _, c := range repairCases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, _ := start(t, sink, append(c.options(), events.WithStrict())...)
				c.emit(b)
				flush(t, b)
				want := int64(0)
				if len(c.repaired) > 0 {
					want = 1
				}
				s := b.Stats()
				if s.Dropped[events.Invalid] != want || s.Recorded != 1-want {
					t.Errorf("recorded %d, invalid %d, want %d invalid", s.Recorded, s.Dropped[events.Invalid], want)
				}
				for kind, n := range s.Repaired {
					if n != 0 {
						t.Errorf("%s was repaired %d times", kind, n)
					}
				}
			})
		})
	}
}

// WithStrict looks at repeats as well, whose notes nobody else needs.
func TestStrictRefusesRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, rec := start(t, eventstest.NewSink(), events.WithStrict())
		for _, note := range []string{"fits", long(2000), "fits, too"} {
			rec.Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", note)
		}
		flush(t, b)
		if s := b.Stats(); s.Dropped[events.Invalid] != 1 || s.Recorded != 2 {
			t.Errorf("recorded %d, invalid %d, want 2 and 1", s.Recorded, s.Dropped[events.Invalid])
		}
	})
}

// A recorder knows the instance that its Events are reported by.
func TestRecorderReportingInstance(t *testing.T) {
	for option, want := range map[string]string{"": controller + "-" + hostname, "replica-0": "replica-0"} {
		b := events.NewBroadcaster(nil, quiet, events.WithReportingInstance(option))
		if got := newRecorder(b).ReportingInstance(); got != want {
			t.Errorf("WithReportingInstance(%q): %q, want %q", option, got, want)
		}
	}
}

// Two instances that are cut remain two instances.
func TestLongInstancesStayApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := eventstest.NewSink()
		for _, end := range []string{"a", "b"} {
			b, rec := start(t, sink, events.WithReportingInstance(long(200)+end))
			record(rec, 1, "web")
			flush(t, b)
		}
		all := sink.Events()
		if len(all) != 2 || all[0].ReportingInstance == all[1].ReportingInstance {
			t.Errorf("%v", all)
		}
	})
}
