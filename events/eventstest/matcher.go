// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// Matcher says whether what was recorded is what a test wants. It is Gomega's GomegaMatcher by structure: ours work in
// Expect(recorder).To(...) and Eventually(recorder).Should(...), Gomega's work in Recorder.Check and Recorder.WaitFor.
//
// The matchers of this package take a *Recorder, a *Sink or a *Clientset, the Events of either API group, one or a
// slice, and []Series. Anything else is an error.
type Matcher interface {
	// Match says whether actual is what the test wants; the error, that it is nothing to look for Events in.
	Match(actual any) (success bool, err error)
	// FailureMessage is the report after a Match that should have been.
	FailureMessage(actual any) string
	// NegatedFailureMessage is the report after a Match that should not have been.
	NegatedFailureMessage(actual any) string
}

var _, _, _ Matcher = Want{}, Only{}, None{}

// Check returns nil if actual satisfies the matcher, which may be one of Gomega's, and otherwise an error with its
// report:
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

// seriesOf reads what a matcher is asked about.
func seriesOf(actual any) ([]Series, error) {
	switch a := actual.(type) {
	case []Series:
		return a, nil
	case Series:
		return []Series{a}, nil
	case interface{ Series() []Series }:
		return a.Series(), nil
	case interface{ Events() []eventsv1.Event }:
		return SeriesOf(a.Events()...), nil
	case []eventsv1.Event:
		return SeriesOf(a...), nil
	case eventsv1.Event:
		return SeriesOf(a), nil
	case *eventsv1.Event:
		return SeriesOf(*a), nil
	case *eventsv1.EventList:
		return SeriesOf(a.Items...), nil
	case []corev1.Event:
		return coreSummaries(a), nil
	case corev1.Event:
		return coreSummaries([]corev1.Event{a}), nil
	case *corev1.Event:
		return coreSummaries([]corev1.Event{*a}), nil
	case *corev1.EventList:
		return coreSummaries(a.Items), nil
	}
	return nil, fmt.Errorf("eventstest: cannot look for Events in a %T; pass a *Recorder, *Sink or *Clientset, "+
		"[]Series, or Events of either API group", actual)
}

func coreSummaries(all []corev1.Event) []Series {
	var list []Series
	for i := range all {
		list = append(list, summary(eventconv.FromCore(&all[i])))
	}
	return list
}

// report is a matcher's text about actual.
func report(actual any, describe func([]Series) string) string {
	all, err := seriesOf(actual)
	if err != nil {
		return err.Error()
	}
	return describe(all)
}
