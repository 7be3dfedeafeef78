// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
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

// undrained reports the broadcasters that the migration rewrites and nothing shuts down: the SDK counts repeats in memory, and
// client-go wrote each.
func (m *migration) undrained(outcome *verify.Outcome) error {
	findings, _, err := m.analyze(lint.Drain())
	if err != nil {
		return err
	}
	for _, finding := range findings {
		rewritten := slices.ContainsFunc(outcome.Findings, func(other analyze.Finding) bool {
			made := other.Rule == plan.Constructor || other.Rule == plan.Wiring
			return made && len(other.Edits) > 0 && other.Place.Filename == finding.Place.Filename &&
				other.Place.Line == finding.Place.Line
		})
		if rewritten {
			m.place(report.Place{
				Rule: finding.Rule, Status: report.Human, File: finding.Place.Filename,
				Line: finding.Place.Line, Column: finding.Place.Column,
				Message: "nothing shuts down this broadcaster, so that Events and counts that are pending are lost when the process " +
					"ends: call its Shutdown when the component ends",
			})
		}
	}
	return nil
}
