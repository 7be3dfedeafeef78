// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// Want is a [Matcher] that is satisfied by at least one Event with the given fields. A field with
// the zero value matches anything.
type Want struct {
	// Type, Reason and Action must equal the fields of the Event with the same names.
	Type, Reason, Action string
	// Note must equal the note of the Event, and NoteContains must be a substring of it.
	Note, NoteContains string
	// Regarding and Related are compared by kind, namespace and name. If one is a
	// *corev1.ObjectReference with a field path, the field path is compared too.
	Regarding, Related runtime.Object
	// Labels and Annotations are entries that the Event must have. The Event may have more entries.
	Labels, Annotations map[string]string
	// Count is the exact number of occurrences that the Event must have. MinCount is the minimum
	// number.
	Count, MinCount int
}

// field is the result of comparing one field of a Want with a series.
type field struct {
	name string
	// says is the part of Want.String that describes the field.
	says string
	// got and want are the values to show in a failure message.
	got, want string
	agrees    bool
}

// fields compares the non-zero fields of w with s.
func (w Want) fields(s Series) (all []field) {
	whole := func(name, format, want, got string) {
		if want != "" {
			quoted := fmt.Sprintf("%q", want)
			all = append(all, field{name, fmt.Sprintf(format, want), fmt.Sprintf("%q", got), quoted, got == want})
		}
	}
	whole("type", "%s", w.Type, s.Type)
	whole("reason", "%s", w.Reason, s.Reason)
	whole("action", "(%s)", w.Action, s.Action)
	whole("regarding", "%s", wanted(w.Regarding), s.Regarding.like(w.Regarding))
	whole("related", "with %s", wanted(w.Related), s.Related.like(w.Related))
	whole("note", "note %q", w.Note, s.Note)
	if w.NoteContains != "" {
		part := fmt.Sprintf("with %q in it", w.NoteContains)
		contains := strings.Contains(s.Note, w.NoteContains)
		all = append(all, field{"note", "note " + part, fmt.Sprintf("%q", s.Note), "one " + part, contains})
	}
	all = append(all, entries("label ", s.Labels, w.Labels)...)
	all = append(all, entries("annotation ", s.Annotations, w.Annotations)...)
	got := fmt.Sprint(s.Count)
	if w.Count != 0 {
		all = append(all, field{"count", fmt.Sprintf("x%d", w.Count), got, fmt.Sprint(w.Count), s.Count == w.Count})
	}
	if w.MinCount != 0 {
		least := fmt.Sprintf("at least x%d", w.MinCount)
		all = append(all, field{"count", least, got, fmt.Sprintf("at least %d", w.MinCount), s.Count >= w.MinCount})
	}
	return all
}

// entries compares each entry of want with the entry of got that has the same key. The name of each
// field is kind followed by the key.
func entries(kind string, got, want map[string]string) (all []field) {
	for _, key := range slices.Sorted(maps.Keys(want)) {
		value, ok := got[key]
		quoted, has := fmt.Sprintf("%q", want[key]), "none"
		if ok {
			has = fmt.Sprintf("%q", value)
		}
		all = append(all, field{kind + key, kind + key + "=" + quoted, has, quoted, ok && value == want[key]})
	}
	return all
}

// differences returns the fields in which s differs from w.
func (w Want) differences(s Series) []field {
	return slices.DeleteFunc(w.fields(s), func(f field) bool { return f.agrees })
}

// wanted formats o, an object of a Want, for comparison with the objects of Events. It returns ""
// if o is nil. If o holds a nil pointer, for example because the test has failed to fetch the
// object, the text matches no object.
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

// like formats o for comparison with the text of want. It omits the field path of o if want has no
// field path.
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

// String returns a description of the wanted Event.
func (w Want) String() string {
	var words []string
	for _, f := range w.fields(Series{}) {
		words = append(words, f.says)
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

// FailureMessage implements [Matcher]. It shows the recorded Events that are closest to w, and the
// fields in which each of them differs from w.
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

// Only is a [Matcher] that is satisfied by exactly these Events, in any order. Only{} is satisfied
// if there are no Events.
type Only []Want

// Match implements [Matcher].
func (o Only) Match(actual any) (bool, error) {
	all, err := seriesOf(actual)
	if err != nil {
		return false, err
	}
	missing, extra := o.pair(all)
	return len(missing) == 0 && len(extra) == 0, nil
}

// pair assigns a series to each Want, and returns the Wants and the series that are left over. It
// starts with the Want that matches the fewest series, because a Want with more choices might
// otherwise take the only series that it matches.
func (o Only) pair(all []Series) (missing []Want, extra []Series) {
	extra = slices.Clone(all)
	matches := func(w Want) (n int) {
		for _, s := range all {
			if w.agrees(s) {
				n++
			}
		}
		return n
	}
	wants := slices.SortedStableFunc(slices.Values(o), func(a, b Want) int { return matches(a) - matches(b) })
	for _, want := range wants {
		if i := slices.IndexFunc(extra, want.agrees); i >= 0 {
			extra = slices.Delete(extra, i, i+1)
		} else {
			missing = append(missing, want)
		}
	}
	return missing, extra
}

// FailureMessage implements [Matcher].
func (o Only) FailureMessage(actual any) string {
	return report(actual, func(all []Series) string {
		missing, extra := o.pair(all)
		var parts []string
		for _, w := range missing {
			parts = append(parts, fmt.Sprintf("no Event is\n\t%v\n%s", w, nearest(w, extra)))
		}
		if len(extra) > 0 {
			parts = append(parts, "unexpected Events\n"+indent(extra))
		}
		return strings.Join(parts, "\n")
	})
}

// NegatedFailureMessage implements [Matcher].
func (o Only) NegatedFailureMessage(any) string {
	return "want Events other than exactly\n" + indent(o)
}

// None is a [Matcher] that is satisfied if no Event has the fields of the Want.
type None Want

// Match implements [Matcher].
func (n None) Match(actual any) (bool, error) {
	all, err := seriesOf(actual)
	return err == nil && !slices.ContainsFunc(all, Want(n).agrees), err
}

// FailureMessage implements [Matcher].
func (n None) FailureMessage(actual any) string { return Want(n).NegatedFailureMessage(actual) }

// NegatedFailureMessage implements [Matcher].
func (n None) NegatedFailureMessage(actual any) string { return Want(n).FailureMessage(actual) }

// Matcher decides whether the recorded Events are the ones that a test expects. It has the methods
// of Gomega's GomegaMatcher, so the matchers of this package can be used in
// Expect(recorder).To(...) and Eventually(recorder).Should(...), and Gomega's matchers can be used
// in Recorder.Check and Recorder.WaitFor.
//
// The matchers of this package accept a *Recorder, a *Sink, a *Clientset, a []Series, or a slice of
// Events of either API group. For any other value Match returns an error.
type Matcher interface {
	// Match reports whether actual contains the wanted Events. It returns an error if the type of
	// actual is not supported.
	Match(actual any) (success bool, err error)
	// FailureMessage returns the message for a Match that should have returned true but returned
	// false.
	FailureMessage(actual any) string
	// NegatedFailureMessage returns the message for a Match that should have returned false but
	// returned true.
	NegatedFailureMessage(actual any) string
}

var _, _, _ Matcher = Want{}, Only{}, None{}

// Check returns nil if actual satisfies matcher, and otherwise an error with the matcher's failure
// message. matcher may be one of Gomega's.
//
//	if err := eventstest.Check(client, eventstest.Want{Reason: "Evicted", Count: 2}); err != nil {
//		t.Error(err)
//	}
func Check(actual any, matcher Matcher) error {
	switch ok, err := matcher.Match(actual); {
	case err != nil:
		return err
	case !ok:
		return errors.New(matcher.FailureMessage(actual))
	}
	return nil
}

// seriesOf returns the series in the argument of a matcher.
func seriesOf(actual any) ([]Series, error) {
	switch a := actual.(type) {
	case []Series:
		return a, nil
	case interface{ Series() []Series }:
		return a.Series(), nil
	case interface{ Events() []eventsv1.Event }:
		return SeriesOf(a.Events()...), nil
	case []eventsv1.Event:
		return SeriesOf(a...), nil
	case []corev1.Event:
		var all []Series
		for i := range a {
			all = append(all, summary(eventconv.FromCore(&a[i])))
		}
		return all, nil
	}
	return nil, fmt.Errorf("eventstest: cannot look for Events in a %T; pass a *Recorder, *Sink or *Clientset, "+
		"[]Series, or a slice of Events of either API group", actual)
}

// report calls describe with the series in actual and returns its result. If the type of actual is
// not supported, it returns the error text.
func report(actual any, describe func([]Series) string) string {
	all, err := seriesOf(actual)
	if err != nil {
		return err.Error()
	}
	return describe(all)
}

// shown is the number of closest Events in a failure message.
const shown = 3

// nearest lists the series that differ from w in the fewest fields, and for each of them the fields
// in which it differs from w.
func nearest(w Want, all []Series) string {
	if len(all) == 0 {
		return "there is no other"
	}
	type miss struct {
		series      Series
		differences []field
	}
	var misses []miss
	for _, s := range all {
		misses = append(misses, miss{s, w.differences(s)})
	}
	slices.SortStableFunc(misses, func(a, b miss) int { return len(a.differences) - len(b.differences) })

	var text strings.Builder
	fmt.Fprintf(&text, "nearest of %d:", len(all))
	for _, m := range misses[:min(shown, len(misses))] {
		fmt.Fprintf(&text, "\n\t%v", m.series)
		for _, d := range m.differences {
			fmt.Fprintf(&text, "\n\t\t%s: got %s, want %s", d.name, d.got, d.want)
		}
	}
	return text.String()
}

func indent[T any](all []T) string {
	var list []string
	for _, one := range all {
		list = append(list, fmt.Sprintf("\t%v", one))
	}
	return strings.Join(list, "\n")
}
