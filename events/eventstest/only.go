// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"slices"
	"strings"
)

// Only is a [Matcher] for exactly these Events, in any order. Only{} matches no Events.
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

// pair assigns a series to as many wants as possible, and returns the rest of both. A want with few fields may match
// several series, so earlier assignments may change (Kuhn's algorithm).
func (o Only) pair(all []Series) (missing []Want, extra []Series) {
	taken := make([]int, len(all)) // the want that has the series, from 1; 0: none
	var find func(want int, seen []bool) bool
	find = func(want int, seen []bool) bool {
		for i := range all {
			if seen[i] || !o[want].agrees(all[i]) {
				continue
			}
			seen[i] = true
			if taken[i] == 0 || find(taken[i]-1, seen) {
				taken[i] = want + 1
				return true
			}
		}
		return false
	}
	for want := range o {
		if !find(want, make([]bool, len(all))) {
			missing = append(missing, o[want])
		}
	}
	for i := range all {
		if taken[i] == 0 {
			extra = append(extra, all[i])
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
	return "there must be other Events than\n" + indent(o)
}

// None is a [Matcher] that fails if an Event matches the Want.
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
