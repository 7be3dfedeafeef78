// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
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

func (s *Sample) add(value float64, unit string) {
	s.Values = append(s.Values, Value{value, unit})
}

// WriteTo writes the sample as a line of Go's benchmark format.
func (s *Sample) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s/by=%s %d", s.Scenario, named.Replace(s.Contender), s.Ops)
	for _, v := range s.Values {
		fmt.Fprintf(&b, " %s %s", strconv.FormatFloat(v.Value, 'g', 6, 64), v.Unit)
	}
	b.WriteByte('\n')
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// parse reads the line of a child process.
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
