// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/machine"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// bench is what to measure.
type bench struct {
	rounds int
	scale  float64
	only   *regexp.Regexp // of scenario/by=contender
}

// partial says that something is left out, so that nothing of it is kept.
func (b *bench) partial() bool { return b.only.String() != "" || b.scale != 1 }

// measure returns what came of a part, and how it was measured.
func (b *bench) measure(ctx context.Context, p *part, here *circumstances, s step) (*record, error) {
	r := &record{Title: p.title, circumstances: *here, Load: loadAverage(), Began: time.Now().UTC().Truncate(time.Second)}
	others := machine.Others()
	var err error
	if p.table != nil {
		r.Samples, err = b.samples(ctx, p, s)
	} else {
		r.Whole, err = p.whole(ctx, b, s)
	}
	r.Took, r.Others = time.Since(r.Began).Round(time.Second), math.Round(100*others())/100
	return r, err
}

// roundsOf are the rounds of a part's scenarios.
func (b *bench) roundsOf(p *part) sample.Rounds {
	r := sample.Rounds{Number: b.rounds, Group: p.group, Only: b.only}
	if p.few {
		r.Number = min(r.Number, fewRounds)
	}
	return r
}

// samples runs this program once for each.
func (b *bench) samples(ctx context.Context, p *part, s step) (sample.Samples, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	scale := strconv.FormatFloat(b.scale, 'g', -1, 64)
	rounds := b.roundsOf(p)
	rounds.Command = func(ctx context.Context, scenario, contender string) *exec.Cmd {
		return exec.CommandContext(ctx, self, "-sample", scenario+" by "+contender, "-scale", scale)
	}
	rounds.Progress = func(done, of int, scenario, contender string) { s(done, of, scenario+" by "+contender) }
	return rounds.Run(ctx)
}
