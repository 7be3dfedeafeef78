// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"

	"github.com/eventseries/eventseries/test/bench/internal/counts"
	"github.com/eventseries/eventseries/test/bench/internal/realapi"
	"github.com/eventseries/eventseries/test/bench/internal/report"
	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// bench is what to measure.
type bench struct {
	rounds       int
	scale        float64
	only         *regexp.Regexp
	real, counts bool
}

// measure does what needs a control plane first: whether there is one should be
// known before the rest has taken its time.
func (b *bench) measure(ctx context.Context) ([]report.Section, error) {
	var onServer, counted []report.Section
	var err error
	if b.real {
		if onServer, err = realapi.Run(ctx, b.realOptions()); err != nil {
			return nil, err
		}
	}
	inMemory, err := b.samples(ctx)
	if err != nil {
		return nil, err
	}
	if b.counts {
		fmt.Fprintln(os.Stderr, "counting writes in simulated time")
		counted = counts.Run()
	}
	return slices.Concat(inMemory, onServer, counted), nil
}

// realOptions are the defaults; fewer rounds are fewer there, too.
func (b *bench) realOptions() realapi.Options {
	const usual = 7
	return realapi.Options{Rounds: min(b.rounds, usual), Progress: os.Stderr}
}

// samples runs this program once for each.
func (b *bench) samples(ctx context.Context) ([]report.Section, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	scale := strconv.FormatFloat(b.scale, 'g', -1, 64)
	rounds := sample.Rounds{
		Number: b.rounds, Only: b.only,
		Command: func(ctx context.Context, scenario, contender string) *exec.Cmd {
			return exec.CommandContext(ctx, self, "-sample", scenario+" by "+contender, "-scale", scale)
		},
		Progress: func(done, of int, scenario, contender string) {
			fmt.Fprintf(os.Stderr, "sample %d of %d: %s by %s\n", done+1, of, scenario, contender)
		},
	}
	all, err := rounds.Run(ctx)
	return tables(all), err
}
