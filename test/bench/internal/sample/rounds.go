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
	"strings"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Rounds runs every scenario with every contender, in turn.
type Rounds struct {
	Number   int
	Group    string         // of scenarios: what their names begin with
	Only     *regexp.Regexp // of "scenario/by=contender"
	Command  func(ctx context.Context, scenario, contender string) *exec.Cmd
	Progress func(done, of int, scenario, contender string)
}

// Run returns the samples in the order in which they were taken. One scenario is
// finished before the next begins; within it the contenders take turns, and who
// begins changes from round to round.
func (r *Rounds) Run(ctx context.Context) (Samples, error) {
	turns := r.Plan()
	var all Samples
	for i, t := range turns {
		r.Progress(i, len(turns), t.Scenario, t.Contender)
		s, err := r.take(ctx, t)
		if err != nil {
			return all, err
		}
		all = append(all, *s)
	}
	return all, nil
}

// Turn is a sample to take.
type Turn struct{ Scenario, Contender string }

// Plan lists the turns.
func (r *Rounds) Plan() (turns []Turn) {
	for _, sc := range Scenarios() {
		if !strings.HasPrefix(sc.Name, r.Group) {
			continue
		}
		contenders := slices.DeleteFunc(slices.Clone(sc.Contenders), func(name string) bool {
			return !r.Only.MatchString(sc.Name + "/by=" + named.Replace(name))
		})
		for round := range r.Number {
			for i := range contenders {
				turns = append(turns, Turn{sc.Name, contenders[(round+i)%len(contenders)]})
			}
		}
	}
	return turns
}

// take runs a child process and reads its line.
func (r *Rounds) take(ctx context.Context, t Turn) (*Sample, error) {
	out, err := r.Command(ctx, t.Scenario, t.Contender).Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", t.Scenario, t.Contender, err)
	}
	s := &Sample{Scenario: t.Scenario, Contender: t.Contender}
	if s.Ops, s.Values, err = parse(bytes.TrimSpace(out)); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", t.Scenario, t.Contender, err)
	}
	return s, nil
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
			What: what, Unit: as, Contender: who, Values: all.Values(scenario, who, unit),
		})
	}
	return rows
}

// Values are what one contender came to in one unit, a value a round.
func (all Samples) Values(scenario, contender, unit string) (values []float64) {
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
