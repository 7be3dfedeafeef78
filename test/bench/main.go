// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// errDemands is what -strict makes of a demand that is not met.
var errDemands = errors.New("not all demands are met")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options is what the flags say.
type options struct {
	bench                          bench
	docs, results                  string
	sections                       *regexp.Regexp
	fresh, page, strict            bool
	sample, cpuProfile, memProfile string

	measure func(*bench, context.Context, *part, *circumstances, step) (*record, error)
}

func parse(args []string) (o options, err error) {
	o.measure = (*bench).measure
	var only, titles string
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.bench.rounds, "rounds", 10, "samples of every contender in every scenario")
	f.StringVar(&titles, "sections", "", "only sections with such a title, a regular expression; -page writes the page")
	f.BoolVar(&o.fresh, "fresh", false, "measure also what is kept of this code, machine and number of rounds")
	f.BoolVar(&o.page, "page", false, "measure nothing, write the page of what is kept")
	f.StringVar(&only, "run", "", "only what matches this regular expression of scenario/by=contender; keeps nothing")
	f.Float64Var(&o.bench.scale, "scale", 1, "times the usual number of occurrences; keeps nothing")
	f.StringVar(&o.docs, "docs", filepath.Join("..", "..", "docs"), "where the page is written")
	f.StringVar(&o.results, "results", "results", "where sections are kept")
	f.BoolVar(&o.strict, "strict", false, "fail if a demand is not met")
	f.StringVar(&o.sample, "sample", "", "take one sample, \"scenario by contender\", in this process")
	f.StringVar(&o.cpuProfile, "cpuprofile", "", "with -sample: where to write a profile")
	f.StringVar(&o.memProfile, "memprofile", "", "with -sample: where to write a profile of allocations")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.bench.rounds < 1 {
		return o, fmt.Errorf("-rounds %d, want at least 1", o.bench.rounds)
	}
	o.sections, err = regexp.Compile(titles)
	if err != nil {
		return o, err
	}
	o.bench.only, err = regexp.Compile(only)
	return o, err
}

// whole reports whether nothing was left out, so that the page may be written.
func (o *options) whole() bool { return o.sections.String() == "" && !o.bench.partial() }

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.sample != "" {
		return child(&o)
	}
	return o.do(ctx)
}

// do measures, or takes what is kept, and says what came of it.
func (o *options) do(ctx context.Context) error {
	var r *result
	var err error
	if o.page {
		r, err = loadAll(parts(), o.results)
	} else {
		r, err = o.run(ctx, os.Stderr)
	}
	if err != nil {
		return err
	}
	if err := report.WriteText(os.Stdout, r.Sections); err != nil {
		return err
	}
	failed := r.Failed()
	fmt.Printf("\n%d of %d demands are met\n", r.Demands()-len(failed), r.Demands())
	for _, line := range failed {
		fmt.Println("not met:", line)
	}
	if o.page || o.whole() {
		err = r.publish(o.docs, o.results)
	}
	if o.strict && len(failed) > 0 {
		err = errors.Join(err, errDemands)
	}
	return err
}
