// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package corpus reads and writes the histories of eventview/corpus, whose README has their format. test/e2e records
// them.
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

// APIs are those that a history is read over.
var APIs = []string{"v1", "events.k8s.io/v1"}

// History is what one reader is sent, and what is true of it.
type History struct {
	// About says who wrote the Events, and what happened.
	About string `json:"about"`
	// Server recorded it.
	Server string `json:"server"`
	// Began is when the reader began, by the clock of the writers.
	Began time.Time `json:"began"`
	// Recorded is how many occurrences were recorded since then, and before in the Events that are read.
	Recorded Sum    `json:"recorded"`
	Steps    []Step `json:"steps,omitempty"`
}

// Sum is how many occurrences there were before a reader began, and since.
type Sum struct {
	Before int64 `json:"before"`
	New    int64 `json:"new"`
}

// Step is a line of a watch, as each API sends it.
type Step struct {
	// At is when it was sent, by the clock of the writers.
	At time.Time `json:"at"`
	// Say is what a reader must say, nil for a bookmark.
	Say *Say `json:"say,omitempty"`
	// V1 and EventsV1 are the line of each of APIs.
	V1       Sent `json:"v1"`
	EventsV1 Sent `json:"events.k8s.io/v1"`
}

// Sent returns the line of an API.
func (s *Step) Sent(api string) *Sent {
	if api == "v1" {
		return &s.V1
	}
	return &s.EventsV1
}

// Say is what a reader must say of an Event, and what the step adds.
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

// Load reads all files of a directory, by their names without ".json".
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

// Write writes a file, with a line for each step.
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

// Problems returns where eventview differs from what a reader must say, over an API.
func (h *History) Problems(api string) (problems []string) {
	problem := func(step int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s, step %d: ", api, step)+fmt.Sprintf(format, args...))
	}
	tracker := eventview.NewTracker(h.Began, 0)
	note := tracker.Seed // until the first list ends
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
			Sum:   Sum{Before: d.Before, New: d.New},
		}
		if want := h.Steps[i].Say; want == nil || got != *want {
			problem(i, "%s\n\tgot  %+v\n\twant %+v", sent.Object, got, want)
		}
		sum.Before += d.Before
		sum.New += d.New
	}
	if sum != h.Recorded {
		problem(len(h.Steps), "%+v in all, want %+v", sum, h.Recorded)
	}
	return problems
}

// view reads an Event as a typed client does and as a dynamic one does, which must agree.
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

// IsListEnd reports whether a line is the bookmark that ends a list.
func (s *Sent) IsListEnd() bool {
	var o struct{ Metadata metav1.ObjectMeta }
	return s.Type == watch.Bookmark && json.Unmarshal(s.Object, &o) == nil &&
		o.Metadata.Annotations[metav1.InitialEventsAnnotationKey] == "true"
}

// Compact is the line without the names of its managers, which say nothing about the Event.
func (s *Sent) Compact() Sent {
	var object map[string]any
	_ = json.Unmarshal(s.Object, &object) // it is JSON
	unstructured.RemoveNestedField(object, "metadata", "managedFields")
	text, _ := json.Marshal(object)
	return Sent{Type: s.Type, Object: text}
}
