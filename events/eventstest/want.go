// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// Want describes one Event. Zero fields match anything. As a [Matcher] it wants at least one Event that matches all
// other fields.
type Want struct {
	// Type, Reason and Action are compared as a whole.
	Type, Reason, Action string
	// Note is the whole note, NoteContains a part of it.
	Note, NoteContains string
	// Regarding and Related are compared by kind, namespace and name, and by field path if they are an
	// *corev1.ObjectReference with one.
	Regarding, Related runtime.Object
	// Labels and Annotations must be there; others may be.
	Labels, Annotations map[string]string
	// Count is the exact number of occurrences, MinCount the least.
	Count, MinCount int
}

// difference is a field in which a series differs from a Want.
type difference struct{ field, got, want string }

// differences compares s with w, field by field.
func (w Want) differences(s Series) (all []difference) {
	text := func(field, got, want string) {
		if want != "" && got != want {
			all = append(all, difference{field, fmt.Sprintf("%q", got), fmt.Sprintf("%q", want)})
		}
	}
	text("type", s.Type, w.Type)
	text("reason", s.Reason, w.Reason)
	text("regarding", s.Regarding.like(w.Regarding), wanted(w.Regarding))
	text("related", s.Related.like(w.Related), wanted(w.Related))
	text("action", s.Action, w.Action)
	text("note", s.Note, w.Note)
	if !strings.Contains(s.Note, w.NoteContains) {
		part := fmt.Sprintf("one with %q in it", w.NoteContains)
		all = append(all, difference{"note", fmt.Sprintf("%q", s.Note), part})
	}
	all = append(all, entries("label ", s.Labels, w.Labels)...)
	all = append(all, entries("annotation ", s.Annotations, w.Annotations)...)
	if w.Count != 0 && s.Count != w.Count {
		all = append(all, difference{"count", fmt.Sprint(s.Count), fmt.Sprint(w.Count)})
	}
	if s.Count < w.MinCount {
		all = append(all, difference{"count", fmt.Sprint(s.Count), fmt.Sprintf("at least %d", w.MinCount)})
	}
	return all
}

// entries returns what got lacks of want, or has another value for. kind stands before the key.
func entries(kind string, got, want map[string]string) (all []difference) {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if value, ok := got[key]; !ok {
			all = append(all, difference{kind + key, "none", fmt.Sprintf("%q", want[key])})
		} else if value != want[key] {
			all = append(all, difference{kind + key, fmt.Sprintf("%q", value), fmt.Sprintf("%q", want[key])})
		}
	}
	return all
}

// wanted returns the text of a Want's object for the comparison, "" if there is none. A nil pointer matches no object:
// the test may have failed to fetch it.
func wanted(o runtime.Object) string {
	if o == nil {
		return ""
	}
	ref, ok := refer(o)
	if !ok {
		return fmt.Sprintf("a %T that is nil or has no name", o)
	}
	return object(&ref).String()
}

// like returns the text of o for the comparison with want. The field path counts only if want has one.
func (o Object) like(want runtime.Object) string {
	if ref, ok := refer(want); ok && ref.FieldPath == "" {
		o.FieldPath = ""
	}
	if o == (Object{}) {
		return "none"
	}
	return o.String()
}

func (w Want) agrees(s Series) bool { return len(w.differences(s)) == 0 }

// String describes the Event.
func (w Want) String() string {
	var words []string
	add := func(format, value string) {
		if value != "" {
			words = append(words, fmt.Sprintf(format, value))
		}
	}
	add("%s", w.Type)
	add("%s", w.Reason)
	add("(%s)", w.Action)
	add("%s", wanted(w.Regarding))
	add("with %s", wanted(w.Related))
	add("note %q", w.Note)
	add("note with %q in it", w.NoteContains)
	for _, key := range slices.Sorted(maps.Keys(w.Labels)) {
		words = append(words, fmt.Sprintf("label %s=%q", key, w.Labels[key]))
	}
	for _, key := range slices.Sorted(maps.Keys(w.Annotations)) {
		words = append(words, fmt.Sprintf("%s=%q", key, w.Annotations[key]))
	}
	if w.Count != 0 {
		words = append(words, fmt.Sprintf("x%d", w.Count))
	}
	if w.MinCount != 0 {
		words = append(words, fmt.Sprintf("at least x%d", w.MinCount))
	}
	if len(words) == 0 {
		return "any Event"
	}
	return strings.Join(words, " ")
}

// Match implements [Matcher].
func (w Want) Match(actual any) (bool, error) {
	all, err := seriesOf(actual)
	return slices.ContainsFunc(all, w.agrees), err
}

// FailureMessage implements [Matcher]: the nearest Events, and where they differ.
func (w Want) FailureMessage(actual any) string {
	return report(actual, func(all []Series) string {
		if len(all) == 0 {
			return fmt.Sprintf("nothing is recorded, want\n\t%v", w)
		}
		return fmt.Sprintf("no Event is\n\t%v\n%s", w, nearest(w, all))
	})
}

// NegatedFailureMessage implements [Matcher].
func (w Want) NegatedFailureMessage(actual any) string {
	return report(actual, func(all []Series) string {
		all = slices.DeleteFunc(slices.Clone(all), func(s Series) bool { return !w.agrees(s) })
		return fmt.Sprintf("want no Event\n\t%v\nbut got\n%s", w, indent(all))
	})
}
