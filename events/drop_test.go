// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// checkTold compares the drops that the handler got since the last call, one line each.
func (r *rig) checkTold(want ...string) {
	r.Helper()
	var lines []string
	for _, one := range r.drops.take() {
		line := fmt.Sprintf("%s x%d: %s %s about %s %s", one.Reason, one.Occurrences, one.Type, one.EventReason,
			one.Regarding.Kind, one.Regarding.Name)
		if one.Err != nil {
			line += ": " + one.Err.Error()
		}
		lines = append(lines, line)
	}
	r.diff("drops", want, lines)
}

// The drop handler gets the full reference to the object. A pending occurrence is dropped after an
// hour and not before. An invalid or late one is dropped immediately.
func TestDropOfOthers(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		ref := &corev1.ObjectReference{
			APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web", UID: "1",
			ResourceVersion: "7", FieldPath: "spec",
		}
		r.sink.FailNext(-1, errUnavailable)
		for range 3 {
			r.rec.Eventf(ref, nil, "Normal", "Killing", "Kill", "note")
		}
		time.Sleep(time.Hour - time.Second)
		r.checkTold()
		time.Sleep(time.Minute)
		if all := r.drops.take(); len(all) != 1 || all[0].Regarding != *ref || all[0].Occurrences != 3 || all[0].Reason != events.DropTooOld {
			r.Errorf("told of %+v, want 3 of %v", all, ref)
		}
		r.rec.Eventf(nil, nil, "Normal", "Killing", "Kill", "note")
		r.rec.Eventf(ref, nil, "Info", "Killing", "Kill", "note")
		r.b.Shutdown()
		r.record(1, "web")
		r.checkTold(
			"Invalid x1: Normal Killing about  : cannot refer to the regarding object: can't reference a nil object",
			`Invalid x1: Info Killing about Deployment web: unsupported event type "Info", want Normal or Warning`,
			"Stopped x1: Normal Killing about Pod web")
	})
}

// An occurrence for which a full cache has no place is dropped, which is logged once a minute.
func TestDropOfCacheFull(t *testing.T) {
	inBubble(t, options{events.WithMaxSeries(2)}, func(r *rig) {
		r.sink.Hold()
		for i := range 4 {
			r.record(1, fmt.Sprint("web-", i))
		}
		r.checkTold("CacheFull x1: Normal Killing about Pod web-2", "CacheFull x1: Normal Killing about Pod web-3")
		r.checkLines([]string{"error: Event dropped", "WithMaxSeries", `maxSeries="2"`})
		r.sink.Release()
	})
}

// An occurrence that gets no series, because it is not selected or comes after the end, is counted
// under its repaired reason, as an occurrence in a series is. If its arguments are invalid, too, it
// is counted as Invalid before the end.
func TestDropsAreChecked(t *testing.T) {
	for reason, row := range map[events.DropReason]struct {
		prepare func(r *rig)
		invalid events.DropReason // the reason under which a call with invalid arguments is counted
	}{
		events.DropUnselected: {func(r *rig) { r.selects("reason=Other") }, events.DropInvalid},
		events.DropStopped:    {func(r *rig) { r.b.Shutdown() }, events.DropStopped},
	} {
		subtest(t, string(reason), nil, func(r *rig) {
			row.prepare(r)
			for _, regarding := range []*corev1.Pod{newPod("web"), fixture.Pod("Not_A_Label", "web"), nil} {
				r.rec.Eventf(regarding, nil, "Normal", "a\xffb", "Kill", "note")
			}
			want := map[events.DropReason]int64{reason: 1}
			want[row.invalid] += 2
			r.checkDropped(want)
			for _, counts := range r.b.Snapshot(0).Counts {
				if counts.Reason != "a\uFFFDb" {
					r.Errorf("counted under the reason %q", counts.Reason)
				}
			}
			if n := r.b.Stats().Repaired[events.RepairUTF8]; n != 1 {
				r.Errorf("%d repaired, want 1", n)
			}
		})
	}
}

func (r *rig) selects(text string) {
	r.Helper()
	if err := r.b.SetSelector(text); err != nil {
		r.Fatal(err)
	}
}

// A selector applies to later occurrences. Pending occurrences are still written. A series that is
// no longer selected stays unchanged, and continues when it is selected again. Watchers also get
// the occurrences that are not selected.
func TestSelector(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		seen := watch(r, r.b)
		r.sink.Hold()
		r.record(3, "web")
		r.selects("type=Warning")
		// An invalid selector has no effect.
		if err := r.b.SetSelector("reasn=BackOff"); err == nil {
			r.Error("an unknown field is no error")
		}
		r.record(2, "web")
		r.record(1, "new")
		r.rec.Eventf(newPod("web"), nil, "Warning", "BackOff", "Restart", "again")
		r.sink.Release()
		r.flush()
		r.checkTold(
			"Unselected x1: Normal Killing about Pod web", "Unselected x1: Normal Killing about Pod web",
			"Unselected x1: Normal Killing about Pod new")
		if s := r.b.Snapshot(0); s.Stats.Recorded != 4 || s.Stats.Series != 2 || s.Selector != "type=Warning" {
			r.Errorf("%+v, want 4 recorded in 2 series", s)
		}
		for _, one := range r.b.Snapshot(2).Frequent {
			if want := map[bool]events.DropReason{true: events.DropUnselected}[one.Reason == "Killing"]; one.DroppedAs != want {
				r.Errorf("%s: dropped as %q, want %q", one.Reason, one.DroppedAs, want)
			}
		}
		r.selects("")
		r.record(2, "web")
		r.flush()
		r.diff("counts", map[string]int64{"Killing": 5, "BackOff": 1}, r.stored(byReason))
		synctest.Wait()
		if n := len(seen()); n != 9 {
			r.Errorf("the watcher got %d, want all 9", n)
		}
	})
}

// By default an object has at most a hundred Events at a time, and one more in which all others are
// counted.
func TestObjectLimitByDefault(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		for i := range 3000 {
			r.say(fmt.Sprint("Failed", i), "request %d", i)
			r.say("Failed0", "again")
			time.Sleep(time.Second)
		}
		r.flush()
		got := r.stored(byReason)
		if s := r.b.Stats(); len(got) != 101 || s.Overflowed != 2900 || got[events.ReasonTooManyEvents] != 2900 || got["Failed0"] != 3001 {
			r.Errorf("%d overflowed, in %v", s.Overflowed, got)
		}
		for _, c := range r.b.Snapshot(0).Counts {
			if want := map[bool]int64{true: 2900}[c.Reason == events.ReasonTooManyEvents]; c.Overflowed != want {
				r.Errorf("%+v", c)
			}
		}
	})
}

// A component may itself use the reason TooManyEvents. Caught: all other Events about the object
// overflow.
func TestTooManyEventsOfCaller(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.say(events.ReasonTooManyEvents, "of the caller")
		r.say("Killing", "of the caller, too")
		r.flush()
		r.diff("counts", map[string]int64{events.ReasonTooManyEvents: 1, "Killing": 1}, r.stored(byReason))
	})
}

// The note of the Event that counts the occurrences beyond the limit says so, and the Event has
// none of their varying texts. Watchers get each occurrence as it was recorded, with the name of
// the Event in which it is counted. The log names one of these occurrences once a minute.
func TestTooManyEvents(t *testing.T) {
	part := func(fieldPath string) *corev1.ObjectReference {
		return &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "uid-of-a-pod", FieldPath: fieldPath,
		}
	}
	labels := map[string]string{"app": "web"}
	inBubble(t, options{events.WithMaxSeriesPerObject(1), events.WithReportingInstance("one"), events.WithLabels(labels)}, func(r *rig) {
		seen, now := watch(r, r.b), time.Now()
		record := func(fieldPath, reason string) {
			r.rec.AnnotatedEventf(part(fieldPath), nil, map[string]string{"a": "b"}, "Warning", reason, "Act", "note of %s", fieldPath)
		}
		record("a", "Known")
		record("b", "Known")
		record("c", "Other")
		record("a", "Known")
		r.flush()
		var got []eventsv1.Event
		names := map[string]string{}
		for _, e := range r.sink.Events() {
			names[e.Reason] = e.Name
			if e.Reason == events.ReasonTooManyEvents {
				e.ObjectMeta = metav1.ObjectMeta{Annotations: e.Annotations, Labels: e.Labels}
				got = append(got, e)
			} else if count(&e) != 2 {
				r.Errorf("%s has the count %d, want the repeat in it", e.Reason, count(&e))
			}
		}
		micro := metav1.NewMicroTime(now.Truncate(time.Microsecond))
		r.diff("overflow", []eventsv1.Event{{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			EventTime:  micro, ReportingController: controller, ReportingInstance: "one", Type: "Warning",
			Reason: "TooManyEvents", Action: "LimitEvents", Regarding: *part(""),
			Note: "Too many different Events about this object: the limit is 1 at a time. Further ones are counted " +
				"here. The first had the reason Known and the action Act; the log of the component names more.",
			Series: &eventsv1.EventSeries{Count: 2, LastObservedTime: micro},
		}}, got)
		r.checkLines([]string{
			"error: An object has too many different Events", `advice="object-limit"`, `limit="1"`, `object="default/web"`,
			`reason="Known"`, `fieldPath="b"`,
		})
		synctest.Wait()
		for i, want := range []string{"Known Known a", "TooManyEvents Known b", "TooManyEvents Other c", "Known Known a"} {
			e := seen()[i]
			for reason, name := range names {
				if name == e.Name {
					e.Name = reason
				}
			}
			r.diff("seen", want, fmt.Sprint(e.Name, " ", e.Reason, " ", e.Note[len("note of "):]))
		}
	})
}
