// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/eventseries/eventseries/test/bench/internal/contender"
)

// Sample is what one process measured.
type Sample struct {
	Scenario, Contender string
	Ops                 int // occurrences
	Values              []Value
}

// Value is one quantity of a sample, such as 312 "cpu-ns/op".
type Value struct {
	Value float64
	Unit  string
}

// named makes a contender's name fit for a benchmark's.
var named = strings.NewReplacer("/", "-", " ", "-")

// Named is a text as it stands in the name of a scenario.
func Named(text string) string { return named.Replace(text) }

func (s *Sample) add(value float64, unit string) {
	s.Values = append(s.Values, Value{value, unit})
}

// WriteTo writes the sample as a line of Go's benchmark format.
func (s *Sample) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, s.line()+"\n")
	return int64(n), err
}

// MarshalText returns the line that WriteTo writes.
func (s *Sample) MarshalText() ([]byte, error) { return []byte(s.line()), nil }

func (s *Sample) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s/by=%s %d", s.Scenario, named.Replace(s.Contender), s.Ops)
	for _, v := range s.Values {
		fmt.Fprintf(&b, " %s %s", strconv.FormatFloat(v.Value, 'g', 6, 64), v.Unit)
	}
	return b.String()
}

// UnmarshalText reads such a line, of a contender that there is.
func (s *Sample) UnmarshalText(line []byte) (err error) {
	name, _, _ := strings.Cut(string(line), " ")
	scenario, by, _ := strings.Cut(strings.TrimPrefix(name, "Benchmark"), "/by=")
	i := slices.IndexFunc(contender.Names(), func(name string) bool { return named.Replace(name) == by })
	if i < 0 {
		return fmt.Errorf("sample: no contender in %q", line)
	}
	s.Scenario, s.Contender = scenario, contender.Names()[i]
	s.Ops, s.Values, err = parse(line)
	return err
}

// parse reads the numbers of a line.
func parse(line []byte) (ops int, values []Value, err error) {
	r := benchfmt.NewReader(bytes.NewReader(line), "sample")
	for r.Scan() {
		switch record := r.Result().(type) {
		case *benchfmt.Result:
			for _, v := range record.Values {
				if v.OrigUnit != "" {
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				values = append(values, Value{v.Value, v.Unit})
			}
			return record.Iters, values, nil
		case *benchfmt.SyntaxError:
			return 0, nil, record
		}
	}
	return 0, nil, errors.Join(errors.New("no line of a benchmark"), r.Err())
}
