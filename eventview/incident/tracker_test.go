// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
)

// minute is a time in the tests, in minutes after ten o'clock.
func minute(m float64) time.Time { return ten.Add(time.Duration(m * float64(time.Minute))) }

// about is an Event about an object, such as "Pod/web-1", that occurred once.
func about(object, reason, note string, m float64) eventview.Event {
	kind, name, _ := strings.Cut(object, "/")
	return eventview.Event{
		Namespace:  "shop",
		Name:       fmt.Sprintf("%s.%s.%x", name, reason, minute(m).UnixNano()),
		Type:       corev1.EventTypeWarning,
		Reason:     reason,
		Note:       note,
		Controller: "example.com/shop",
		Regarding:  corev1.ObjectReference{Kind: kind, Namespace: "shop", Name: name},
		Count:      1,
		First:      minute(m),
		Last:       minute(m),
	}
}

func normal(e eventview.Event) eventview.Event {
	e.Type = corev1.EventTypeNormal
	return e
}

// again is the Event with another occurrence.
func again(e eventview.Event, m float64) eventview.Event {
	e.Count++
	e.Last = minute(m)
	return e
}

// reportsOf passes Events to a tracker, each at its time with a tick every 30 seconds, until a time.
func reportsOf(tracker *incident.Tracker, until float64, events ...eventview.Event) (lines []string) {
	m := 0.0
	for {
		for len(events) > 0 && !events[0].Last.After(minute(m)) {
			tracker.Observe(&events[0])
			events = events[1:]
		}
		for _, i := range tracker.Tick(minute(m)) {
			lines = append(lines, fmt.Sprintf("%gm %s %s %d %v", m, i.State, i.Reason, i.Objects, i.FirstObject.Name))
		}
		if m >= until {
			return lines
		}
		m += 0.5
	}
}

// An incident opens after a minute, and reports when its objects have doubled, and its end.
func TestLife(t *testing.T) {
	denied := func(object string, m float64) eventview.Event {
		return about(object, "Denied", "the policy denies it", m)
	}
	series := denied("A/a", 0)
	series.Series = true
	for name, test := range map[string]struct {
		events []eventview.Event
		want   []string
	}{
		"one object, once": {
			events: []eventview.Event{denied("A/a", 0)},
			want:   []string{"1m open Denied 1 a", "10m over Denied 1 a"},
		},
		"growing": {
			events: []eventview.Event{denied("A/a", 0), denied("A/b", 2), denied("A/c", 3), denied("A/d", 4)},
			want:   []string{"1m open Denied 1 a", "2m growing Denied 2 a", "4m growing Denied 4 a", "14m over Denied 4 a"},
		},
		"an Event that goes on": {
			events: []eventview.Event{denied("A/a", 0), again(denied("A/a", 0), 9), again(denied("A/a", 0), 18)},
			want:   []string{"1m open Denied 1 a", "28m over Denied 1 a"},
		},
		"it comes back": {
			events: []eventview.Event{denied("A/a", 0), denied("A/b", 40)},
			want: []string{
				"1m open Denied 1 a", "10m over Denied 1 a", "40m open Denied 2 a", "50m over Denied 2 a",
			},
		},
		"the same a day later": {
			events: []eventview.Event{denied("A/a", 0), denied("A/b", 80)},
			want: []string{
				"1m open Denied 1 a", "10m over Denied 1 a", "81m open Denied 1 b", "90m over Denied 1 b",
			},
		},
		"a writer that counts late": {
			events: []eventview.Event{series, again(series, 1)},
			want:   []string{"1m open Denied 1 a", "37m over Denied 1 a"},
		},
		"a writer that counts late, and the object recovers": {
			events: []eventview.Event{series, again(series, 2), normal(about("A/a", "Allowed", "it is allowed", 20))},
			want:   []string{"1m open Denied 1 a", "20m over Denied 1 a"},
		},
		"it recovers at once": {
			events: []eventview.Event{denied("A/a", 0), normal(about("A/a", "Allowed", "it is allowed", 0.5))},
		},
		"a component that reports progress between two failures": {
			events: []eventview.Event{
				denied("A/a", 0), normal(about("A/a", "Trying", "it is tried", 0.1)),
				denied("A/a", 2.1), normal(about("A/a", "Trying", "it is tried", 2.2)),
			},
			want: []string{"2.5m open Denied 1 a", "12.5m over Denied 1 a"},
		},
		"one of two recovers": {
			events: []eventview.Event{
				denied("A/a", 0), denied("A/b", 0), normal(about("A/a", "Allowed", "it is allowed", 0.5)),
			},
			want: []string{"1m open Denied 2 a", "10m over Denied 2 a"},
		},
		"a single failed probe": {
			events: []eventview.Event{about("A/a", "Unhealthy", "it failed", 0), about("A/b", "Unhealthy", "it failed", 0.5)},
		},
		"a probe that fails for a minute": {
			events: []eventview.Event{
				about("A/a", "Unhealthy", "it failed", 0),
				again(about("A/a", "Unhealthy", "it failed", 0), 0.5),
				again(about("A/a", "Unhealthy", "it failed", 0), 1),
			},
			want: []string{"1m open Unhealthy 1 a", "11m over Unhealthy 1 a"},
		},
		"a Normal Event alone": {
			events: []eventview.Event{normal(about("A/a", "BackOff", "it waits", 0))},
		},
		"no failure at all": {
			events: []eventview.Event{normal(about("A/a", "Created", "it is created", 0))},
		},
		"an Event of the day before": {
			events: []eventview.Event{denied("A/a", -70)},
		},
	} {
		tracker := incident.New()
		tracker.Tick(minute(0))
		if diff := cmp.Diff(test.want, reportsOf(tracker, 95, test.events...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The time of a writer whose clock is ahead does not keep an incident open.
func TestClockAhead(t *testing.T) {
	tracker := incident.New()
	tracker.Tick(minute(0))
	e := about("A/a", "Denied", "the policy denies it", 300)
	tracker.Observe(&e)
	want := []string{"1m open Denied 1 a", "10m over Denied 1 a"}
	if diff := cmp.Diff(want, reportsOf(tracker, 30)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A failure that is over before the first tick, as in the list of a program that has just started,
// is listed and not reported.
func TestEndedBeforeTheFirstTick(t *testing.T) {
	tracker := incident.New()
	e := about("A/a", "Denied", "the policy denies it", 0)
	tracker.Observe(&e)
	if reports := tracker.Tick(minute(30)); len(reports) > 0 {
		t.Errorf("%d reports", len(reports))
	}
	all := tracker.Incidents()
	if len(all) != 1 || all[0].State != incident.Over {
		t.Errorf("the incidents are %+v", all)
	}
	if found, ok := tracker.Find(&e); !ok || found.ID != all[0].ID {
		t.Errorf("the incident of the Event is %+v, %v", found, ok)
	}
}

// Within a second, an Event that says why something failed comes before one that does not, whatever
// their names are.
func TestCompare(t *testing.T) {
	events := []eventview.Event{
		about("A/b", "Failed", "Error: ErrImagePull", 0),
		about("A/c", "Failed", "the registry answers 429", 0),
		about("A/a", "Failed", "the registry answers 429", 1),
		about("A/a", "BackOff", "it waits", 0),
	}
	slices.SortFunc(events, incident.Compare)
	var got []string
	for _, e := range events {
		got = append(got, e.Regarding.Name+" "+e.Note)
	}
	want := []string{"c the registry answers 429", "a it waits", "b Error: ErrImagePull", "a the registry answers 429"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The hint names what began in the five minutes before: changes, and other incidents.
func TestBefore(t *testing.T) {
	tracker := incident.New()
	reportsOf(tracker, 12,
		normal(about("Deployment/old", "ScalingReplicaSet", "Scaled up", 1)),
		about("A/a", "Denied", "the policy denies it", 5),
		normal(about("Pod/web-1", "Started", "Started container", 7)),
		normal(about("Deployment/web", "ScalingReplicaSet", "Scaled up\nweb", 7.5)),
		about("B/b", "Refused", "the quota refuses it", 8),
	)
	all := tracker.Incidents()
	want := []string{
		"ScalingReplicaSet shop/Deployment/web: Scaled up web",
		"incident " + all[0].ID + ": Denied shop/A/a",
	}
	if diff := cmp.Diff(want, all[1].Before); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A checkpoint of something else, and a part of one, are refused, and the tracker stays as it is.
func TestCheckpointIsRefused(t *testing.T) {
	tracker := incident.New()
	e := about("A/a", "Denied", "the policy denies it", 0)
	tracker.Observe(&e)
	tracker.Tick(minute(1))
	whole, err := tracker.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"nothing":        nil,
		"another format": append([]byte{99}, whole[1:]...),
		"a part":         whole[:len(whole)-9],
		"the first byte": whole[:1],
	} {
		if err := tracker.UnmarshalBinary(b); err == nil || !strings.Contains(err.Error(), "begin with a new Tracker") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(tracker.Incidents()) != 1 {
		t.Error("the tracker has changed")
	}
}

// FuzzTracker plays Events in any order with ticks and restarts. Restarts change no report, a
// repeated reading changes nothing, and no incident opens twice.
func FuzzTracker(f *testing.F) {
	f.Add([]byte("abcdefghijklmnop"))
	f.Add([]byte{0, 1, 2, 3, 250, 4, 5, 251, 200, 6, 7, 8, 250, 250, 250, 250})
	f.Add([]byte{9, 9, 9, 255, 9, 9, 254, 253, 0, 0, 1, 128, 129, 130, 255, 255, 255})
	f.Fuzz(func(t *testing.T, script []byte) {
		whole, restarted := incident.New(), incident.New()
		open := map[string]bool{}
		m := 0.0
		for n, op := range script[:min(len(script), 500)] {
			if op >= 240 {
				m += float64(op-239) * 0.7
				want, got := whole.Tick(minute(m)), restarted.Tick(minute(m))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("reports (-without +with restarts):\n%s", diff)
				}
				for _, i := range got {
					if i.State == incident.Open && open[i.ID] {
						t.Fatalf("%s opens twice", i.ID)
					}
					open[i.ID] = i.State != incident.Over
				}
				continue
			}
			e := scripted(op, n, m)
			whole.Observe(&e)
			before := whole.Incidents()
			whole.Observe(&e)
			if diff := cmp.Diff(before, whole.Incidents()); diff != "" {
				t.Fatalf("a repeated reading (-before +after):\n%s", diff)
			}
			restarted = restart(t, restarted)
			restarted.Observe(&e)
			restarted.Observe(&e)
		}
		for _, i := range whole.Incidents() {
			if i.ID == "" || i.Objects < 1 || i.Last.Before(i.First) || i.FirstObject.Name == "" {
				t.Fatalf("an incident without content: %+v", i)
			}
		}
	})
}

// scripted returns an Event for one byte of a fuzzed script.
func scripted(op byte, n int, m float64) eventview.Event {
	objects := []string{"Pod/web-7d4b9c6f5x-x2rvq", "Pod/web-7d4b9c6f5x-p9k4d", "ReplicaSet/web-7d4b9c6f5x", "Node/node-1", "Pod/db-0"}
	reasons := []string{"Failed", "BackOff", "Unhealthy", "NodeNotReady", "FailedCreate", "Started", "Evicted", "FailedScheduling"}
	notes := []string{
		"it failed: connection refused by 10.0.0.1", "it failed: not found", "Error: ErrImagePull", "it failed: i/o timeout of 10.0.0.2",
	}
	e := about(objects[int(op)%len(objects)], reasons[int(op)/5%len(reasons)], notes[int(op)/40%len(notes)], m-float64(op%7)*0.3)
	if slices.Contains([]string{"Started", "NodeNotReady"}, e.Reason) {
		e = normal(e)
	}
	if n%3 == 0 {
		e.Controller = "kubelet"
		e.Instance = "node-1"
		e.Regarding.FieldPath = "spec.containers{app}"
	}
	if op%2 == 0 {
		e = again(e, m)
		e.Series = op%4 == 0
	}
	return e
}
