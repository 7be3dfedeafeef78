// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/analyze"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// maxRounds bounds the search. Every round freezes something; real modules need a few.
const maxRounds = 25

// Rewrite returns the findings if some files keep their old types.
type Rewrite func(frozen func(file string) bool) ([]analyze.Finding, error)

// Outcome has the files to write, which compile.
type Outcome struct {
	First     []analyze.Finding // of the first round, in which no file is withdrawn
	Findings  []analyze.Finding
	Files     []report.File
	Withdrawn []Withdrawal
}

// Settle rewrites, checks, and withdraws edits until the rest compiles. The programs are builds of the same modules with
// different tags. Progress gets the number of packages that are checked, and of all to check.
func Settle(
	ctx context.Context, programs []*load.Program, rewrite Rewrite, progress func(done, all int),
) (*Outcome, error) {
	f := &freezer{programs: programs, frozen: map[string]Withdrawal{}}
	edited := map[string]bool{}
	for round := 1; ; round++ {
		findings, err := rewrite(f.has)
		if err != nil {
			return nil, err
		}
		if round == 1 {
			f.first = findings
		}
		texts, err := f.apply(findings, edited)
		if errors.As(err, &conflict{}) {
			continue
		} else if err != nil {
			return nil, err
		}
		var problems []problem
		for _, program := range programs {
			found, err := check(ctx, program, texts, progress)
			if err != nil {
				return nil, err
			}
			problems = append(problems, found...)
		}
		if len(problems) == 0 {
			return f.outcome(findings, texts, edited), nil
		}
		if round >= maxRounds || !f.freeze(problems) {
			f.all(altogether, problems[0])
			humans := slices.DeleteFunc(findings, func(finding analyze.Finding) bool { return len(finding.Edits) > 0 })
			return f.outcome(humans, nil, edited), nil
		}
	}
}

// apply makes the texts of all edited files. It freezes a file whose edits overlap.
func (f *freezer) apply(findings []analyze.Finding, edited map[string]bool) (map[string]*text, error) {
	edits := map[string][]analyze.Edit{}
	for _, finding := range findings {
		for _, edit := range finding.Edits {
			edits[edit.File] = append(edits[edit.File], edit)
			edited[edit.File] = true
		}
	}
	texts := map[string]*text{}
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		t, err := apply(name, edits[name])
		var overlap conflict
		if errors.As(err, &overlap) && !f.file(name, problem{place: overlap.place, message: err.Error()}) {
			return nil, errors.New(err.Error()) // also with its old types
		} else if err != nil {
			return nil, err
		}
		texts[name] = t
	}
	return texts, nil
}

// outcome collects the files to write.
func (f *freezer) outcome(findings []analyze.Finding, texts map[string]*text, edited map[string]bool) *Outcome {
	outcome := &Outcome{First: f.first, Findings: findings, Withdrawn: f.withdrawals(edited)}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		t := texts[name]
		file := report.File{Name: name, Before: t.before, After: t.formatted(), Generated: t.generated()}
		if string(file.Before) != string(file.After) {
			outcome.Files = append(outcome.Files, file)
		}
	}
	return outcome
}
