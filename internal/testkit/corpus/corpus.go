// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package corpus reads and writes the histories in eventview/corpus, and compares package eventview
// with them. A history holds the Events that a real API server sent to one reader, and the counts
// that the reader must derive from them. test/e2e records the histories, and the README of
// eventview/corpus describes their format.
package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/eventseries/eventseries/eventview"
)

// APIs are the API versions through which the Events of each history were read.
var APIs = []string{"v1", "events.k8s.io/v1"}

// History holds every line that was sent to one reader, and the results that the reader must derive
// from them.
type History struct {
	// About says who wrote the Events, and what happened.
	About string `json:"about"`
	// Server is the version of the API server that sent the lines.
	Server string `json:"server"`
	// Began is the time at which the reader started, according to the clock of the writers.
	Began time.Time `json:"began"`
	// Recorded is the number of occurrences that were actually recorded. Occurrences that were
	// recorded before the reader started are included only if they are in an Event that was sent to
	// the reader.
	Recorded Sum    `json:"recorded"`
	Steps    []Step `json:"steps,omitempty"`
}

// Sum holds the number of occurrences that were recorded before a reader started, and the number of
// later ones.
type Sum struct {
	Earlier int64 `json:"earlier"`
	New     int64 `json:"new"`
}

// Step is one line of a watch, as it was sent through each of the APIs.
type Step struct {
	// At is the time at which the line was sent, according to the clock of the writers.
	At time.Time `json:"at"`
	// Say is the result that a reader must derive from the line. It is nil for a bookmark.
	Say *Say `json:"say,omitempty"`
	// V1 and EventsV1 are the line as sent through each of the two APIs.
	V1       Sent `json:"v1"`
	EventsV1 Sent `json:"events.k8s.io/v1"`
}

// Sent returns the line of the step as it was sent through the given API.
func (s *Step) Sent(api string) *Sent {
	if api == "v1" {
		return &s.V1
	}
	return &s.EventsV1
}

// Say is the result that a reader must derive from one line: the state of the Event, and the
// numbers of occurrences that the line adds.
type Say struct {
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	Count int64     `json:"count"`
	Sum
}

// Sent is a line of a watch.
type Sent struct {
	Object json.RawMessage `json:"object"`
	Type   watch.EventType `json:"type"`
}

// Load reads all histories in a directory. The keys of the result are the file names without
// ".json".
func Load(dir string) (map[string]*History, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	all := map[string]*History{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		h := &History{}
		if err := json.Unmarshal(data, h); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = h
	}
	return all, nil
}

// Write writes h to a file, with one line for each step.
func (h *History) Write(name string) error {
	head := *h
	head.Steps = nil
	text, err := json.MarshalIndent(head, "", "  ")
	text = append(bytes.TrimSuffix(text, []byte("\n}")), ",\n  \"steps\": ["...)
	for i := range h.Steps {
		step, stepErr := json.Marshal(&h.Steps[i])
		err = errors.Join(err, stepErr)
		text = fmt.Appendf(text, "%s\n    %s", strings.Repeat(",", min(i, 1)), step)
	}
	return errors.Join(err, os.WriteFile(name, append(text, "\n  ]\n}\n"...), 0o644))
}

// Problems passes the lines of one API to package eventview and compares the results with those in
// h. It returns a description of each difference.
func (h *History) Problems(api string) (problems []string) {
	problem := func(step int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s, step %d: ", api, step)+fmt.Sprintf(format, args...))
	}
	tracker := eventview.NewTracker(h.Began, 0)
	// The list comes first, and a bookmark ends it. The tracker seeds the lines of the list and
	// observes the lines after the bookmark.
	note := tracker.Seed
	var sum Sum
	for i := range h.Steps {
		sent := h.Steps[i].Sent(api)
		if sent.Type == watch.Bookmark {
			note = tracker.Observe
			continue
		}
		e, err := view(sent.Object)
		if err != nil {
			problem(i, "%v", err)
			continue
		}
		d := note(&e)
		got := Say{
			First: e.First.UTC(),
			Last:  e.Last.UTC(),
			Count: e.Count,
			Sum:   Sum{Earlier: d.Earlier, New: d.New},
		}
		if want := h.Steps[i].Say; want == nil || got != *want {
			problem(i, "%s\n\tgot  %+v\n\twant %+v", sent.Object, got, want)
		}
		sum.Earlier += d.Earlier
		sum.New += d.New
	}
	if sum != h.Recorded {
		problem(len(h.Steps), "%+v in all, want %+v", sum, h.Recorded)
	}
	return problems
}

// view decodes an Event as a typed client does, and returns the view of this Event. It also decodes
// the Event as a dynamic client does, and returns an error if the view of that Event is different.
func view(object json.RawMessage) (eventview.Event, error) {
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(object, &u.Object); err != nil {
		return eventview.Event{}, err
	}
	loose, err := eventview.FromUnstructured(u)
	if err != nil {
		return eventview.Event{}, err
	}
	var typed eventview.Event
	if u.GetAPIVersion() == "v1" {
		var e corev1.Event
		err = json.Unmarshal(object, &e)
		typed = eventview.FromCoreV1(&e)
	} else {
		var e eventsv1.Event
		err = json.Unmarshal(object, &e)
		typed = eventview.FromEventsV1(&e)
	}
	if a, b := fmt.Sprintf("%+v", typed), fmt.Sprintf("%+v", loose); a != b {
		err = fmt.Errorf("the typed view is %s, the other one %s", a, b)
	}
	return typed, err
}

// IsListEnd reports whether s is the bookmark that ends the initial list of a watch.
func (s *Sent) IsListEnd() bool {
	var o struct{ Metadata metav1.ObjectMeta }
	return s.Type == watch.Bookmark && json.Unmarshal(s.Object, &o) == nil &&
		o.Metadata.Annotations[metav1.InitialEventsAnnotationKey] == "true"
}

// Compact returns a copy of s without managedFields, which do not matter to a reader of Events.
func (s *Sent) Compact() Sent {
	var object map[string]any
	// The object was JSON in the answer of a server.
	_ = json.Unmarshal(s.Object, &object)
	unstructured.RemoveNestedField(object, "metadata", "managedFields")
	text, _ := json.Marshal(object)
	return Sent{Type: s.Type, Object: text}
}
