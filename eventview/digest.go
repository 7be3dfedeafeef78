// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/eventseries/eventseries/internal/plural"
	"github.com/eventseries/eventseries/internal/usercode"
)

// symptom is the key by which [Digest] groups Events. Events with the same symptom usually have the
// same cause.
type symptom struct{ kind, kindOf, reason, controller string }

func bySymptom(e *Event) symptom { return symptom{e.Type, e.Regarding.Kind, e.Reason, e.Controller} }

const (
	// maxDigestNote is the maximum length of the note in a line, in bytes.
	maxDigestNote = 160
	// maxDigestWord is the maximum length of each other text in a line, in bytes.
	maxDigestWord = 128
)

// Digest summarises Events in at most size bytes of text, for example for a page, a chat message or
// an agent. It returns a line for each combination of type, reason, kind of object and controller,
// the most urgent first:
//
//	Warning BackOff x70 in 50m, last 12m ago: Pod default/web: the container crashed
//	Warning FailedScheduling x4000 of 300 Pods in 7m, last 3s ago: Pod default/db-1: no node fits
//	left out: 120 Events in 3 groups, 5431 occurrences, 0 of them Warnings
//
// The object and the note in a line belong to the newest Event of the group. The last line counts
// the Events that did not fit, and is omitted if all of them did. Digest returns an empty text if
// not even the last line fits, which is possible for a size below 100.
//
// Control characters become spaces, and long texts are shortened. A line shows no time if the Event
// has none. If a time is more than a minute in the future, because the clock of the writer is
// ahead, the line says so.
//
// Anyone who is allowed to create Events can choose their notes. A program that reads a digest,
// such as an agent, must not follow instructions in the notes.
func Digest(events []Event, size int, now time.Time) string {
	groups := GroupBy(events, bySymptom)
	var left omitted
	for i := range groups {
		left.add(&groups[i], 1)
	}
	text, longest := "", left.String()
	for i := range groups {
		text += digestLine(&groups[i], now)
		if len(text) > size {
			break
		}
		left.add(&groups[i], -1)
		if all := text + left.String(); len(all) <= size {
			longest = all
		}
	}
	if len(longest) > size {
		return ""
	}
	return longest
}

func digestLine(g *Group[symptom], now time.Time) string {
	newest := &g.Events[0]
	objects := map[Object]struct{}{}
	for i := range g.Events {
		objects[ByObject(&g.Events[i])] = struct{}{}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s x%d", word(newest.Type), word(newest.Reason), g.Count)
	if len(objects) > 1 {
		b.WriteString(" of " + plural.Of(len(objects), word(newest.Regarding.Kind)))
	}
	if g.Count > 1 && isTime(g.First, now) && isTime(g.Last, now) {
		fmt.Fprintf(&b, " in %s", duration.HumanDuration(max(g.Last.Sub(g.First), 0)))
	}
	b.WriteString(lastText(g.Last, now))
	fmt.Fprintf(&b, ": %s", word(newest.Regarding.Kind))
	if ns := newest.Regarding.Namespace; ns != "" {
		fmt.Fprintf(&b, " %s/%s", word(ns), word(newest.Regarding.Name))
	} else {
		fmt.Fprintf(&b, " %s", word(newest.Regarding.Name))
	}
	fmt.Fprintf(&b, ": %s\n", usercode.Plain(newest.NewestNote, maxDigestNote))
	return b.String()
}

// isTime reports whether t can be the time of an occurrence. Some writers set no time, and some set
// a time that is centuries away from now.
func isTime(t, now time.Time) bool {
	const century = 100 * 365 * 24 * time.Hour
	return !t.IsZero() && now.Sub(t).Abs() < century
}

// lastText returns the part of a line that says how long ago the last occurrence was, or "" if the
// time of the last occurrence is not known. A time that is in the future by less than clockSkew
// counts as now.
func lastText(last, now time.Time) string {
	switch ago := now.Sub(last); {
	case !isTime(last, now):
		return ""
	case ago < -clockSkew:
		return fmt.Sprintf(", last %s ahead of this clock", duration.HumanDuration(-ago))
	default:
		return fmt.Sprintf(", last %s ago", duration.HumanDuration(max(ago, 0)))
	}
}

// omitted counts the groups that have no line in a digest, with their Events and occurrences.
type omitted struct{ groups, events, count, warnings int64 }

func (r *omitted) add(g *Group[symptom], sign int64) {
	r.groups += sign
	r.events += sign * int64(len(g.Events))
	r.count += sign * g.Count
	r.warnings += sign * g.Warnings
}

func (r *omitted) String() string {
	if r.groups == 0 {
		return ""
	}
	warnings := "Warnings"
	if r.warnings == 1 {
		warnings = "a Warning"
	}
	return fmt.Sprintf("left out: %s in %s, %s, %d of them %s\n", plural.Of(r.events, "Event"),
		plural.Of(r.groups, "group"), plural.Of(r.count, "occurrence"), r.warnings, warnings)
}

func word(text string) string { return usercode.Plain(text, maxDigestWord) }
