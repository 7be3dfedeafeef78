// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/verify"
	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// runLints is the command lint.
func runLints(ctx context.Context, j *job) error {
	s, err := open(ctx, j)
	if err != nil {
		return err
	}
	defer s.project.Close()
	if err := s.find(ctx); err != nil {
		return err
	}
	found, err := s.load(ctx)
	if err != nil {
		return err
	}
	if !found {
		j.report.Verdict = j.finished("no package here reaches a recorder")
		return nil
	}
	outcome, err := s.settle(ctx, s.lints)
	if err != nil {
		return err
	}
	s.outcome(outcome)
	j.report.Verdict = counted(len(outcome.Findings), "finding") + " of the lints"
	if len(outcome.Findings) == 0 {
		j.report.Verdict = j.finished("no finding of the lints")
	}
	return j.finish(ctx)
}

// lints are the findings of the lints. If no fixes are asked for, a human looks at all of them.
func (s *source) lints(frozen func(file string) bool) ([]analyze.Finding, error) {
	findings, _, err := s.analyze(lint.Analyzers()...)
	for i, finding := range findings {
		if !s.options.fix && !s.options.diff || frozen(finding.Place.Filename) {
			findings[i].Edits = nil
		}
	}
	return findings, err
}

// undrained reports, in one line, the broadcasters that the migration rewrites and nothing shuts down: the SDK counts repeats
// in memory, and client-go wrote each. It comes after the files are written, because the line has the places.
func (m *migration) undrained(outcome *verify.Outcome) error {
	findings, _, err := m.analyze(lint.Drain())
	if err != nil {
		return err
	}
	var places []string
	var first report.Place
	for _, finding := range findings {
		rewritten := slices.ContainsFunc(outcome.Findings, func(other analyze.Finding) bool {
			made := other.Rule == plan.Constructor || other.Rule == plan.Wiring
			return made && len(other.Edits) > 0 && other.Place.Filename == finding.Place.Filename &&
				other.Place.Line == finding.Place.Line
		})
		if !rewritten {
			continue
		}
		line, _ := m.report.Now(m.slashed(finding.Place.Filename), finding.Place.Line)
		if len(places) == 0 {
			first = report.Place{Rule: finding.Rule, Status: report.Human, File: finding.Place.Filename, Line: line}
		}
		places = append(places, fmt.Sprintf("%s:%d", m.slashed(finding.Place.Filename), line))
	}
	if len(places) == 0 {
		return nil
	}
	what := "nothing shuts down this broadcaster"
	if len(places) > 1 {
		what = fmt.Sprintf("nothing shuts down %d broadcasters (%s; eventsmigrate lint has all)", len(places), joinSome(places))
	}
	first.Message = what + ", so that Events and counts that are pending are lost when the process ends: call Shutdown when the " +
		"component ends"
	m.place(first)
	return nil
}
