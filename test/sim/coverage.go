// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Coverage counts the things that happened in runs. Its keys have the form "kind/name". It shows
// whether the runs have done everything that scripts can do.
type Coverage map[string]int64

func (c Coverage) add(kind, name string) { c[kind+"/"+name]++ }

// Add adds the counts of other.
func (c Coverage) Add(other Coverage) {
	for k, n := range other {
		c[k] += n
	}
}

// Of returns the sum over a kind.
func (c Coverage) Of(kind string) int64 {
	var sum int64
	for k, n := range c {
		if strings.HasPrefix(k, kind+"/") {
			sum += n
		}
	}
	return sum
}

// String returns a line for each kind.
func (c Coverage) String() string {
	var b strings.Builder
	last := ""
	for _, k := range slices.Sorted(maps.Keys(c)) {
		kind, name, _ := strings.Cut(k, "/")
		if kind != last {
			fmt.Fprintf(&b, "\n%s:", kind)
			last = kind
		}
		fmt.Fprintf(&b, " %s %d,", name, c[k])
	}
	return strings.TrimPrefix(strings.ReplaceAll(b.String()+"\n", ",\n", "\n"), "\n")
}

// Everything returns the keys of all things that must happen in runs of some hundred seeds.
func Everything() []string {
	var all []string
	add := func(kind, name string) { all = append(all, kind+"/"+name) }
	add("labels", "new")
	add("labels", "old")
	for _, a := range acts {
		add("step", a.name)
	}
	for how := range styles {
		add("style", how.String())
	}
	for kind := range faultKinds {
		add("faults", kind.String())
	}
	for _, failure := range failures {
		add("answer", failure.name)
	}
	for _, name := range []string{
		"answered", "lossy", "masked", "slow", "refused", "reset", "closed", "contradictory", "late", "applied late",
		"vanished",
	} {
		add("answer", name)
	}
	for _, code := range []string{"200", "201", "403", "404", "409"} {
		add("outcome", code)
	}
	for reason := range mayDrop {
		add("drop", string(reason))
	}
	add("occurrences", "overflowed")
	for shape := range shapes {
		add("overload", shape.String())
	}
	for _, what := range []string{"flush", "flush done", "drain", "shutdown"} {
		add("job", what)
	}
	for _, what := range []string{"shared", "forged 0", "forged 1", "forged 2", "forged 3", "forged 4", "forged 5"} {
		add("shared counts", what)
	}
	slices.Sort(all)
	return all
}
