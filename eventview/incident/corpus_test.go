// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
)

// storm is one file of the corpus: a watch, and what is wrong in it. corpus/README.md has the
// format.
type storm struct {
	About  string             `json:"about"`
	Causes map[string]problem `json:"causes"`
	lines  []line
}

// problem is a cause, and what the incident of the cause must say.
type problem struct {
	Say     string           `json:"say"`
	First   eventview.Object `json:"first"`
	Objects int              `json:"objects"`
	Over    time.Time        `json:"over"`
}

// line is one line of the watch.
type line struct {
	At     time.Time      `json:"at"`
	Cause  string         `json:"cause"`
	Type   string         `json:"type"`
	Object eventsv1.Event `json:"object"`

	view eventview.Event
}

func readStorm(t testing.TB, file string) *storm {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &storm{}
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var l line
		var into any = &l
		if n == 1 {
			into = s
		}
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		if err := decoder.Decode(into); err != nil {
			t.Fatalf("%s:%d: %v", file, n, err)
		}
		if n == 1 {
			continue
		}
		if _, ok := s.Causes[l.Cause]; !ok && l.Cause != "" {
			t.Fatalf("%s:%d: the header has no cause %q", file, n, l.Cause)
		}
		l.view = eventview.FromEventsV1(&l.Object)
		s.lines = append(s.lines, l)
	}
	if len(s.lines) == 0 || len(s.Causes) == 0 {
		t.Fatalf("%s has %d lines and %d causes", file, len(s.lines), len(s.Causes))
	}
	return s
}

// replay passes the lines of a storm to a tracker.
type replay struct {
	tracker *incident.Tracker
	// before is called before each line.
	before func(r *replay, n int)
	// reports has every report, in order.
	reports []incident.Incident
	// members has the IDs of the incidents in which each line was found at any time.
	members []map[string]bool
	// states has the newest state of each incident.
	states map[string]incident.Incident
}

func newReplay() *replay {
	return &replay{
		tracker: incident.New(),
		before:  func(*replay, int) {},
		states:  map[string]incident.Incident{},
	}
}

func (r *replay) tick(now time.Time) {
	reports := r.tracker.Tick(now)
	r.reports = append(r.reports, reports...)
	for _, inc := range append(reports, r.tracker.Incidents()...) {
		r.states[inc.ID] = inc
	}
}

// run passes all lines from the first on, with a tick before each of them and every ten seconds.
func (r *replay) run(lines []line, until time.Time) {
	now := lines[0].At
	r.members = make([]map[string]bool, len(lines))
	for n := range lines {
		for now.Add(10 * time.Second).Before(lines[n].At) {
			now = now.Add(10 * time.Second)
			r.tick(now)
		}
		now = lines[n].At
		r.before(r, n)
		r.tick(now)
		if lines[n].Type != "DELETED" {
			r.tracker.Observe(&lines[n].view)
		}
		r.find(lines[:n+1])
	}
	for now.Before(until) {
		now = now.Add(10 * time.Second)
		if now.After(until) {
			now = until
		}
		r.tick(now)
	}
	r.find(lines)
}

// find looks the lines up in the tracker.
func (r *replay) find(lines []line) {
	for n := range lines {
		inc, ok := r.tracker.Find(&lines[n].view)
		if !ok {
			continue
		}
		if r.members[n] == nil {
			r.members[n] = map[string]bool{}
		}
		r.members[n][inc.ID] = true
	}
}

// judge returns what is wrong with the incidents of a storm.
func (s *storm) judge() (wrong []string) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	end := s.lines[len(s.lines)-1].At
	r := newReplay()
	r.run(s.lines, end)

	owner := map[string]string{}
	for _, cause := range slices.Sorted(maps.Keys(s.Causes)) {
		want := s.Causes[cause]
		found := map[string]int{}
		for n := range s.lines {
			if s.lines[n].Cause != cause {
				continue
			}
			// A Normal Event of a cause may be left out, but must not be in another incident. The
			// incident of an Event that expires may be forgotten.
			if len(r.members[n]) == 0 && s.lines[n].Object.Type != "Normal" && s.lines[n].Type != "DELETED" {
				complain("%s: line %d (%s) is in no incident", cause, n+2, s.lines[n].Object.Reason)
			}
			for id := range r.members[n] {
				found[id]++
			}
		}
		if len(found) != 1 {
			complain("%s is in %d incidents, want 1: %v", cause, len(found), r.describe(found))
			continue
		}
		for id := range found {
			if other, ok := owner[id]; ok {
				complain("%s and %s are one incident: %v", other, cause, r.describe(found))
			}
			owner[id] = cause
			got := r.states[id]
			if got.FirstObject != want.First {
				complain("%s began with %v, want %v", cause, got.FirstObject, want.First)
			}
			if got.Objects != want.Objects {
				complain("%s has %d objects, want %d", cause, got.Objects, want.Objects)
			}
			if state := s.stateAt(id, want.Over, end); (state == incident.Over) != !want.Over.IsZero() {
				complain("%s is %s, over at %v", cause, state, want.Over)
			}
		}
	}
	for n := range s.lines {
		if len(r.members[n]) > 0 && s.lines[n].Cause == "" {
			complain("line %d (%s %s) is background, and in an incident", n+2, s.lines[n].Object.Reason,
				s.lines[n].Object.Regarding.Name)
		}
	}
	opened := map[string]int{}
	for _, report := range r.reports {
		opened[report.ID]++
		if owner[report.ID] == "" && opened[report.ID] == 1 {
			complain("incident without a cause: %s %v %q", report.Reason, report.FirstObject, report.Note)
		}
	}
	return wrong
}

func (r *replay) describe(found map[string]int) (texts []string) {
	for id, lines := range found {
		texts = append(texts, fmt.Sprintf("%d lines in %s %s %v", lines, id, r.states[id].Reason, r.states[id].FirstObject))
	}
	return texts
}

// stateAt returns the state of an incident at the time over, or at the end if over is zero.
func (s *storm) stateAt(id string, over, end time.Time) incident.State {
	if over.IsZero() {
		over = end
	}
	r := newReplay()
	last := len(s.lines)
	for last > 1 && s.lines[last-1].At.After(over) {
		last--
	}
	r.run(s.lines[:last], over)
	return r.states[id].State
}

// storms returns the files of the corpus that were known when the rules were written, or the
// others.
func storms(t *testing.T, unseen bool) (files []string) {
	t.Helper()
	all, err := filepath.Glob("corpus/*.jsonl")
	if err != nil || len(all) == 0 {
		t.Fatalf("no storms in corpus: %v", err)
	}
	for _, file := range all {
		if strings.HasPrefix(filepath.Base(file), "unseen-") == unseen {
			files = append(files, file)
		}
	}
	return files
}

// judgeAll reports what is wrong with each storm, and returns the number of storms that are right.
func judgeAll(t *testing.T, files []string, report func(*testing.T, string)) (right int) {
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			s := readStorm(t, file)
			wrong := s.judge()
			for _, text := range wrong {
				report(t, text)
			}
			if len(wrong) == 0 {
				right++
			}
		})
	}
	t.Logf("%d of %d storms have the right incidents", right, len(files))
	return right
}

// The page of the corpus names each storm.
func TestStormsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("corpus/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(storms(t, false), storms(t, true)...) {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		if !strings.Contains(string(page), "| `"+name+"` |") && !strings.Contains(string(page), "### "+name+"\n") {
			t.Errorf("corpus/README.md does not describe %s", name)
		}
	}
}

// Each storm has one incident for each cause, and none for anything else.
func TestStorms(t *testing.T) {
	judgeAll(t, storms(t, false), func(t *testing.T, text string) { t.Error(text) })
}

// rightAtFirstSight is the number of unseen storms that were right when they were first played. The
// others show how far the rules are from those that they were not made for.
const rightAtFirstSight = 4

// The unseen storms were written by somebody else, and were not looked at while the rules were
// written. What is wrong with them is in the log (go test -v).
func TestUnseenStorms(t *testing.T) {
	files := storms(t, true)
	right := judgeAll(t, files, func(t *testing.T, text string) { t.Log(text) })
	if right < rightAtFirstSight {
		t.Errorf("%d unseen storms have the right incidents, want at least %d", right, rightAtFirstSight)
	}
}

// A restart before any line changes nothing.
func TestRestart(t *testing.T) {
	for _, file := range append(storms(t, false), storms(t, true)...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			s := readStorm(t, file)
			end := s.lines[len(s.lines)-1].At.Add(2 * time.Hour)
			whole := newReplay()
			whole.run(s.lines, end)
			restarted := newReplay()
			restarted.before = func(r *replay, _ int) { r.tracker = restart(t, r.tracker) }
			restarted.run(s.lines, end)
			if diff := cmp.Diff(whole.reports, restarted.reports); diff != "" {
				t.Errorf("reports (-without +with restarts):\n%s", diff)
			}
		})
	}
}

func restart(t testing.TB, old *incident.Tracker) *incident.Tracker {
	t.Helper()
	checkpoint, err := old.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	tracker := incident.New()
	if err := tracker.UnmarshalBinary(checkpoint); err != nil {
		t.Fatal(err)
	}
	return tracker
}

// A second replica starts later, without a checkpoint, from a list of the Events that the server
// still has. It finds the same incidents, with the same IDs.
func TestSecondReplica(t *testing.T) {
	for _, file := range storms(t, false) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			s := readStorm(t, file)
			end := s.lines[len(s.lines)-1].At
			first := newReplay()
			first.run(s.lines, end)
			for start := 7; start < len(s.lines); start += 7 {
				second := newReplay()
				second.list(s.lines[:start])
				second.run(s.lines[start:], end)
				for _, report := range second.reports {
					if _, ok := first.states[report.ID]; !ok {
						t.Errorf("the replica that began at line %d has another incident: %s %v of %v %q", start+2,
							report.Reason, report.FirstObject, report.First, report.Note)
					}
				}
			}
		})
	}
}

// list passes the stored Events of a server to the tracker.
func (r *replay) list(lines []line) {
	stored := map[string]eventview.Event{}
	for n := range lines {
		view := lines[n].view
		key := view.Namespace + "/" + view.Name
		if lines[n].Type == "DELETED" {
			delete(stored, key)
		} else {
			stored[key] = view
		}
	}
	for _, view := range slices.SortedFunc(maps.Values(stored), incident.Compare) {
		r.tracker.Observe(&view)
	}
}
