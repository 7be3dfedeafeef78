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
	bench                                    bench
	docs, results                            string
	render, strict                           bool
	sample, cpuProfile, memProfile, selected string
}

func parse(args []string) (o options, err error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.IntVar(&o.bench.rounds, "rounds", 10, "samples of every contender in every scenario")
	f.Float64Var(&o.bench.scale, "scale", 1, "times the usual number of occurrences")
	f.StringVar(&o.selected, "run", "", "only what matches this regular expression of scenario/by=contender")
	f.BoolVar(&o.bench.real, "real", true, "measure on a real kube-apiserver, too (see make controlplane)")
	f.BoolVar(&o.bench.counts, "counts", true, "count writes in simulated hours, too")
	f.StringVar(&o.docs, "docs", filepath.Join("..", "..", "docs"), "where the page is written after a whole run")
	f.StringVar(&o.results, "results", "results", "where a whole run is kept")
	f.BoolVar(&o.render, "render", false, "measure nothing, write the page of the run that was kept")
	f.BoolVar(&o.strict, "strict", false, "fail if a demand is not met")
	f.StringVar(&o.sample, "sample", "", "take one sample, \"scenario by contender\", in this process")
	f.StringVar(&o.cpuProfile, "cpuprofile", "", "with -sample: where to write a profile")
	f.StringVar(&o.memProfile, "memprofile", "", "with -sample: where to write a profile of allocations")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.bench.only, err = regexp.Compile(o.selected)
	return o, err
}

// whole says that nothing was left out, so that the page may be written.
func (o *options) whole() bool {
	return o.selected == "" && o.bench.scale == 1 && o.bench.real && o.bench.counts
}

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
	r, err := o.result(ctx)
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
	if o.render || o.whole() {
		err = r.publish(o.docs)
	}
	if o.strict && len(failed) > 0 {
		err = errors.Join(err, errDemands)
	}
	return err
}

// result is the run that was kept, or a new one, which is kept if it is whole.
func (o *options) result(ctx context.Context) (*result, error) {
	if o.render {
		return load(o.results)
	}
	r := newResult(o.bench.rounds)
	var err error
	if r.Sections, err = o.bench.measure(ctx); err != nil {
		return nil, err
	}
	if o.whole() {
		err = r.save(o.results)
	}
	return r, err
}
