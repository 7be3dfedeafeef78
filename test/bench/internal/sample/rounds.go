// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Rounds runs every scenario with every contender, in turn.
type Rounds struct {
	Number   int
	Only     *regexp.Regexp // of "scenario/by=contender"
	Command  func(ctx context.Context, scenario, contender string) *exec.Cmd
	Progress func(done, of int, scenario, contender string)
}

// Run returns the samples in the order in which they were taken. One scenario is
// finished before the next begins; within it the contenders take turns, and who
// begins changes from round to round.
func (r *Rounds) Run(ctx context.Context) (Samples, error) {
	turns := r.plan()
	var all Samples
	for i, t := range turns {
		r.Progress(i, len(turns), t.scenario, t.contender)
		s, err := r.take(ctx, t)
		if err != nil {
			return all, err
		}
		all = append(all, *s)
	}
	return all, nil
}

type turn struct{ scenario, contender string }

func (r *Rounds) plan() (turns []turn) {
	for _, sc := range Scenarios() {
		contenders := slices.DeleteFunc(slices.Clone(sc.Contenders), func(name string) bool {
			return !r.Only.MatchString(sc.Name + "/by=" + named.Replace(name))
		})
		for round := range r.Number {
			for i := range contenders {
				turns = append(turns, turn{sc.Name, contenders[(round+i)%len(contenders)]})
			}
		}
	}
	return turns
}

// take runs a child process and reads its line.
func (r *Rounds) take(ctx context.Context, t turn) (*Sample, error) {
	out, err := r.Command(ctx, t.scenario, t.contender).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", t.scenario, t.contender, err)
	}
	ops, values, err := parse(bytes.TrimSpace(out))
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", t.scenario, t.contender, err)
	}
	return &Sample{Scenario: t.scenario, Contender: t.contender, Ops: ops, Values: values}, nil
}

// Samples are what the rounds measured.
type Samples []Sample

// Rows has a row for every contender in a scenario, without values for those
// that the run left out.
func (all Samples) Rows(scenario, unit, what, as string) (rows report.Rows) {
	sc, err := Find(scenario)
	if err != nil {
		panic(err) // a mistake of the program
	}
	for _, who := range sc.Contenders {
		rows = append(rows, report.Row{
			What: what, Unit: as, Contender: who, Values: all.values(scenario, who, unit),
		})
	}
	return rows
}

// values are what one contender came to in one unit, a value a round.
func (all Samples) values(scenario, contender, unit string) (values []float64) {
	for _, s := range all {
		if s.Scenario != scenario || s.Contender != contender {
			continue
		}
		for _, v := range s.Values {
			if v.Unit == unit {
				values = append(values, v.Value)
			}
		}
	}
	return values
}
