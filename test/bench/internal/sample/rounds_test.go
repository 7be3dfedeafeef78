// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// childOf makes this test program a child that prints what a sample would.
const childOf = "BENCH_TEST_CHILD"

func TestMain(m *testing.M) {
	switch line, isChild := os.LookupEnv(childOf); {
	case !isChild:
		os.Exit(m.Run())
	case line == "":
		fmt.Fprintln(os.Stderr, "no memory left")
		os.Exit(3)
	default:
		fmt.Println(line)
	}
}

// Caught: a value in seconds, which the reader makes of nanoseconds; a contender
// with a space in a name.
func TestLine(t *testing.T) {
	s := Sample{Scenario: "Repeat/args=no", Contender: report.Empty, Ops: 1000}
	s.add(12.5, "cpu-ns/op")
	s.add(0, "allocs/op")
	s.add(99.5, "%delivered")
	var line bytes.Buffer
	if _, err := s.WriteTo(&line); err != nil {
		t.Fatal(err)
	}
	ops, values, err := parse(line.Bytes())
	if err != nil || ops != s.Ops {
		t.Errorf("%d occurrences, %v, want %d", ops, err, s.Ops)
	}
	if diff := cmp.Diff(s.Values, values); diff != "" {
		t.Errorf("values of %q (-want +got):\n%s", line.String(), diff)
	}
	for _, wrong := range []string{"", "panic: no", "BenchmarkX one 2 ns/op"} {
		if _, _, err := parse([]byte(wrong)); err == nil {
			t.Errorf("parse(%q) found a sample", wrong)
		}
	}
}

// Caught: who begins being the same in every round; a round of one contender
// before the next contender's; -run without effect.
func TestRounds(t *testing.T) {
	var order []string
	r := Rounds{
		Number: 2, Only: regexp.MustCompile("^Logging/by=(eventseries|tools-events)"),
		Command: func(ctx context.Context, scenario, contender string) *exec.Cmd {
			return child(ctx, "BenchmarkX/by=y 7 "+fmt.Sprint(len(order))+" cpu-ns/op")
		},
		Progress: func(done, of int, scenario, contender string) {
			order = append(order, fmt.Sprintf("%d/%d %s %s", done, of, scenario, contender))
		},
	}
	all, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0/4 Logging eventseries", "1/4 Logging tools/events", "2/4 Logging tools/events", "3/4 Logging eventseries",
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	rows := all.Rows("Logging", "cpu-ns/op", "logged", "ns")
	wantRows := report.Rows{
		{What: "logged", Unit: "ns", Contender: report.SDK, Values: []float64{1, 4}},
		{What: "logged", Unit: "ns", Contender: report.ToolsEvents, Values: []float64{2, 3}},
		{What: "logged", Unit: "ns", Contender: report.ToolsRecord},
	}
	if diff := cmp.Diff(wantRows, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Caught: a child's words on its standard error that nobody saw.
func TestRoundsOfAChildThatFails(t *testing.T) {
	r := Rounds{
		Number: 1, Only: regexp.MustCompile("Logging"), Progress: func(int, int, string, string) {},
		Command: func(ctx context.Context, _, _ string) *exec.Cmd { return child(ctx, "") },
	}
	if _, err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no memory left") {
		t.Errorf("Run = %v, want what the child said", err)
	}
}

func child(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childOf+"="+line)
	return cmd
}
