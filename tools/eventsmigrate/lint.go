// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/lint"
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
