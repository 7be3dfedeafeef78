// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var hostname, _ = os.Hostname()

// event has the texts of a call, or the texts of the stored Event. "-" stands for an empty text,
// and "" for one that is valid.
type event struct{ reason, action, note, controller, instance string }

func (e event) or(usual event) event {
	or := func(s, usual string) string {
		switch s {
		case "":
			return usual
		case "-":
			return ""
		}
		return s
	}
	return event{
		or(e.reason, usual.reason), or(e.action, usual.action), or(e.note, usual.note),
		or(e.controller, usual.controller), or(e.instance, usual.instance),
	}
}

type repairCase struct {
	in, want            event
	related             kruntime.Object
	annotations, labels map[string]string
	kept                map[string]string // the stored annotations, if there are others than the one named a
	repaired            []events.Repair
}

func repaired(kinds ...events.Repair) []events.Repair { return kinds }

// big has as many bytes as the annotations of an Event may have.
var big = long(4 << 10)

var repairCases = map[string]repairCase{
	"nothing":   {related: newPod("peer"), annotations: map[string]string{"a": "1"}, labels: map[string]string{"a": "1"}},
	"no action": {in: event{action: "-"}, repaired: repaired(events.RepairAction), want: event{action: "Killing"}},
	"no reason": {in: event{reason: "-"}, repaired: repaired(events.RepairReason), want: event{reason: "Kill"}},
	"neither": {
		in: event{reason: "-", action: "-"}, repaired: repaired(events.RepairReason, events.RepairAction),
		want: event{reason: "Unspecified", action: "Unspecified"},
	},
	"reason of 128": {in: event{reason: long(128)}, want: event{reason: long(128)}},
	"reason of 129": {in: event{reason: long(129)}, repaired: repaired(events.RepairLength), want: event{reason: long(128)}},
	"cut at a rune": {in: event{reason: long(127) + "é"}, repaired: repaired(events.RepairLength), want: event{reason: long(127)}},
	"action of 1000 bytes that begin no rune": {
		in:       event{action: strings.Repeat("\x80", 1000)},
		repaired: repaired(events.RepairLength, events.RepairUTF8), want: event{action: "\uFFFD"},
	},
	"no encoding": {in: event{reason: "a\xffb"}, repaired: repaired(events.RepairUTF8), want: event{reason: "a\uFFFDb"}},
	"too long in U+FFFD": {
		in:       event{reason: long(127) + "\xff"},
		repaired: repaired(events.RepairLength, events.RepairUTF8), want: event{reason: long(127)},
	},
	"note of 1024": {in: event{note: long(1024)}, want: event{note: long(1024)}},
	"note of 1025": {
		in: event{note: long(1025)}, repaired: repaired(events.RepairNote), want: event{note: long(510) + "…" + long(511)},
	},
	"note of 4-byte runes": {
		in: event{note: strings.Repeat("😀", 300)}, repaired: repaired(events.RepairNote), want: event{note: strings.Repeat("😀", 127) + "…" + strings.Repeat("😀", 128)},
	},
	"note that grows when decoded": { // 1024 bytes, but the server counts the three of U+FFFD
		in:       event{note: long(1023) + "\xe2"},
		repaired: repaired(events.RepairNote, events.RepairUTF8), want: event{note: long(510) + "…" + long(508) + "\uFFFD"},
	},
	"note of a megabyte": {
		in: event{note: long(1 << 20)}, repaired: repaired(events.RepairNote), want: event{note: long(510) + "…" + long(511)},
	},
	"note that shrinks when decoded": { // a run of invalid bytes becomes one U+FFFD
		in: event{note: "a" + strings.Repeat("\xff", 5000) + "b"}, repaired: repaired(events.RepairUTF8), want: event{note: "a\uFFFDb"},
	},
	"an error that is wrapped often": {
		in: event{note: "cannot attach: " + strings.Repeat("while attaching: ", 100) + "disks/read is missing"},
		want: event{
			note: "cannot attach: " + strings.Repeat("while attaching: ", 29) + "wh…le attaching: " +
				strings.Repeat("while attaching: ", 28) + "disks/read is missing",
		},
		repaired: repaired(events.RepairNote),
	},
	"related of unknown kind": {related: &unregistered{}, repaired: repaired(events.RepairRelated)},
	"related before it is created": {
		related:  &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "web-", Namespace: "default"}},
		repaired: repaired(events.RepairRelated),
	},
	"related that was not found": {related: &corev1.Pod{}, repaired: repaired(events.RepairRelated)},
	"an empty related reference": {related: &corev1.ObjectReference{}, repaired: repaired(events.RepairRelated)},
	"related with a UID alone":   {related: &corev1.ObjectReference{Kind: "Pod", UID: "1"}},
	"typed nil related":          {related: (*corev1.Pod)(nil), repaired: repaired(events.RepairRelated)},
	"controller":                 {in: event{controller: "Kubelet_1.x"}, want: event{controller: "Kubelet_1.x"}},
	"empty controller":           {in: event{controller: "-"}, repaired: repaired(events.RepairController), want: event{controller: "unknown"}},
	"a space":                    {in: event{controller: "my controller"}, repaired: repaired(events.RepairController), want: event{controller: "2fddb8c5/my-controller"}},
	"a capital prefix":           {in: event{controller: "Example.COM/x"}, repaired: repaired(events.RepairController), want: event{controller: "example.com.f9848475/x"}},
	"two slashes":                {in: event{controller: "a/b/c"}, repaired: repaired(events.RepairController), want: event{controller: "a.b.d76a7b72/c"}},
	"a long prefix":              {in: event{controller: long(64) + "/c"}, want: event{controller: long(64) + "/c"}},
	"a long bad prefix":          {in: event{controller: long(62) + ".X/c"}, repaired: repaired(events.RepairController), want: event{controller: long(55) + ".20551f34/c"}},
	"a bad prefix":               {in: event{controller: "a..b/c"}, repaired: repaired(events.RepairController), want: event{controller: "a.b.2782f65b/c"}},
	"a prefix alone":             {in: event{controller: "example.com/"}, repaired: repaired(events.RepairController), want: event{controller: "example.com.73d986e0/unknown"}},
	"long controller":            {in: event{controller: long(64)}, repaired: repaired(events.RepairController), want: event{controller: "7ce10097/" + long(63)}},
	"controller of nothing":      {in: event{controller: "///"}, repaired: repaired(events.RepairController), want: event{controller: "732c4e97/unknown"}},
	"default instance":           {in: event{instance: "-"}, want: event{instance: controller + "-" + hostname}},
	"long instance": {
		in: event{instance: "é" + long(127)}, repaired: repaired(events.RepairInstance), want: event{instance: long(127)},
	},
	"instance of no encoding": {in: event{instance: "a\xff"}, repaired: repaired(events.RepairUTF8), want: event{instance: "a\uFFFD"}},
	"a bad key":               {annotations: map[string]string{"a b": "1", "a": "1"}, repaired: repaired(events.RepairAnnotations)},
	"annotations that are too big together": {
		annotations: map[string]string{"a": big[:3<<10], "b": big[:3<<10], "c": "1"}, repaired: repaired(events.RepairAnnotations),
		kept: map[string]string{"a": big[:3<<10], "b": big[:1<<10-2]},
	},
	"too big once decoded": { // every byte becomes three
		annotations: map[string]string{"a": strings.Repeat("\xffx", 2<<10)}, repaired: repaired(events.RepairAnnotations),
		kept: map[string]string{"a": strings.Repeat("\uFFFDx", 1<<10-1) + "\uFFFD"},
	},
	"at the limit": {annotations: map[string]string{"a": big[1:]}, kept: map[string]string{"a": big[1:]}},
	"bad labels":   {labels: map[string]string{"a": "1", "team": "no such value", "a b": "x"}, repaired: repaired(events.RepairLabels)},
}

// emit makes the call of the case.
func (c *repairCase) emit(r *rig) {
	in := c.in.or(event{"Killing", "Kill", "note", controller, "replica"})
	rec := r.b.Recorder(scheme.Scheme, in.controller).WithReportingInstance(in.instance).WithLabels(c.labels)
	rec.AnnotatedEventf(newPod("web"), c.related, c.annotations, "Normal", in.reason, in.action, in.note)
}

// Each repair is counted by kind and logged once for a recorder and kind, and the server accepts
// the result.
func TestRepairs(t *testing.T) {
	for name, c := range repairCases {
		subtest(t, name, nil, func(r *rig) {
			c.emit(r)
			r.flush()
			e := r.only()
			got := event{e.Reason, e.Action, e.Note, e.ReportingController, e.ReportingInstance}
			if want := c.want.or(event{"Killing", "Kill", "note", controller, "replica"}); got != want {
				r.Errorf("%+v, want %+v", got, want)
			}
			one := map[string]string{"a": "1"} // the valid one
			if c.annotations != nil && c.kept == nil {
				c.kept = one
			}
			r.diff("annotations", c.kept, e.Annotations)
			r.diff("labels", map[bool]map[string]string{true: one}[c.labels != nil], e.Labels)
			if (e.Related != nil) != (c.related != nil && c.repaired == nil) {
				r.Errorf("related is %v", e.Related)
			}
			var kinds []events.Repair
			all := r.b.Stats().Repaired
			for _, kind := range allRepairs {
				if all[kind] > 0 {
					kinds = append(kinds, kind)
				}
			}
			r.diff("repaired", c.repaired, kinds)
			if n := len(r.log.Take()); n != len(c.repaired) {
				r.Errorf("%d lines, want one per kind of repair", n)
			}
		})
	}
}

var allRepairs = []events.Repair{
	events.RepairReason, events.RepairAction, events.RepairLength, events.RepairNote, events.RepairUTF8,
	events.RepairInstance, events.RepairController, events.RepairAnnotations, events.RepairRelated,
	events.RepairLabels,
}

// With eventstest.Strict, a call that needs a repair is refused. So is every call of a recorder
// that itself needs one, and also a repeat, whose note is not used otherwise.
func TestStrictRefusesWhatNeedsRepair(t *testing.T) {
	for name, c := range repairCases {
		subtest(t, name, options{eventstest.Strict()}, func(r *rig) {
			r.record(1, "web")
			c.emit(r)
			r.flush()
			want := int64(0)
			if len(c.repaired) > 0 {
				want = 1
			}
			s := r.b.Stats()
			if s.Dropped[events.DropInvalid] != want || s.Recorded != 2-want {
				r.Errorf("recorded %d, invalid %d, want %d invalid", s.Recorded, s.Dropped[events.DropInvalid], want)
			}
			for kind, n := range s.Repaired {
				if n != 0 {
					r.Errorf("%s was repaired %d times", kind, n)
				}
			}
		})
	}
}

// A repaired occurrence is counted in the series of its repaired texts, under the note policy of
// the repaired reason. It does not take another place in the cache.
func TestRepeatsThatAreRepaired(t *testing.T) {
	distinct := events.WithNotePolicy(events.NotesDistinct(2), long(128))
	for name, row := range map[string]struct {
		option             events.Option
		notes              [2]string
		series, overflowed int64
	}{
		"in a full cache":    {events.WithMaxSeries(1), [2]string{"a", "b"}, 1, 0},
		"beyond a limit":     {events.WithMaxSeriesPerObject(1), [2]string{"a", "b"}, 2, 1},
		"of a note's reason": {distinct, [2]string{"a", "b"}, 2, 0},
		"of one note":        {distinct, [2]string{"a", "a"}, 1, 0},
	} {
		subtest(t, name, options{row.option}, func(r *rig) {
			for i, note := range row.notes {
				r.say(long(129+i), note)
				r.flush()
				if row.overflowed > 0 && i == 0 {
					r.say("Other", note)
					r.flush()
				}
				time.Sleep(2 * time.Minute) // in a synctest bubble; it may be evicted
			}
			s := r.b.Stats()
			if int64(s.Series) != row.series || s.Evicted != 0 || s.Overflowed != row.overflowed || s.Repaired[events.RepairLength] != 2 {
				r.Errorf("%+v, want %d series, none evicted, %d overflowed, 2 repaired", s, row.series, row.overflowed)
			}
		})
	}
}

// Annotations are not part of the key of a series, so annotations that vary could make an Event
// grow without end. If a series has no room for an annotation, this is counted as a repair, just as
// too many annotations in one call are. There is always room for the latest note.
func TestAnnotationsOfASeriesAreBounded(t *testing.T) {
	inBubble(t, options{events.WithNotePolicy(events.NotesLatest)}, func(r *rig) {
		for i := range 200 {
			r.rec.AnnotatedEventf(newPod("web"), nil, map[string]string{fmt.Sprint("key-", i): strings.Repeat("v", 100)},
				"Normal", "Killing", "Kill", "note %d", i)
		}
		r.flush()
		e, size := r.only(), 0
		for k, v := range e.Annotations {
			size += len(k) + len(v)
		}
		if size > 4<<10+100 || size < 3900 || count(&e) != 200 || e.Annotations["eventseries.dev/latest-note"] != "note 199" {
			r.Errorf("%d bytes of annotations, count %d, want up to 4 KiB, a note and 200", size, count(&e))
		}
		if n := r.b.Stats().Repaired[events.RepairAnnotations]; n != 200-int64(len(e.Annotations)-1) {
			r.Errorf("%d repairs, want one for each that is left out of %d", n, len(e.Annotations))
		}
	})
}

// Recorders with different names report as different controllers, even if the names must be
// repaired. The repaired names have the ends of the original ones.
func TestRepairedControllersDiffer(t *testing.T) {
	names := []string{
		"namespace/pod/controller", "namespace/pod/other", "namespace-pod/a/controller", "namespace/pod-2/controller", "Namespace/pod/controller",
		long(200) + "/a/controller", long(200) + "/b/controller", "the controller", "the:controller", "the/controller/", "/the/controller",
	}
	inBubble(t, nil, func(r *rig) {
		for _, name := range names {
			r.b.Recorder(scheme.Scheme, name).Eventf(newPod("web"), nil, "Normal", "Killing", "Kill", "note")
		}
		r.flush()
		if n := len(r.sink.Events()); n != len(names) {
			r.Errorf("%d Events, want one of each of %d controllers", n, len(names))
		}
		for _, e := range r.sink.Events() {
			_, own, _ := strings.Cut(e.ReportingController, "/")
			if len(e.ReportingController) > 128 || own != "controller" && own != "other" && own != "the-controller" && own != "unknown" {
				r.Errorf("a controller is %q", e.ReportingController)
			}
		}
	})
}
