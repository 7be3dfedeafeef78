// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/machine"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

func main() {
	var config load.Config
	flag.IntVar(&config.Nodes, "nodes", 5000, "`number` of nodes")
	flag.IntVar(&config.PodsPerNode, "pods", 110, "`number` of pods on a node")
	hours := flag.Float64("hours", 1, "simulated `hours` of each day")
	flag.Uint64Var(&config.Seed, "seed", 1, "`number` that decides what is random")
	only := flag.String("contender", "", "`names` of the only ones to simulate, separated by commas; all by default")
	out := flag.String("out", "../../docs", "`directory` for scale.md and its charts")
	results := flag.String("results", "scale/results", "`directory` where the result of each job is kept")
	fresh := flag.Bool("fresh", false, "do also the jobs whose results are kept of this code")
	page := flag.Bool("page", false, "simulate nothing, write the page of what is kept")
	child := flag.Bool("child", false, "do one job, given as JSON on standard input")
	flag.Parse()
	config.Span = time.Duration(*hours * float64(time.Hour))

	a := &archive{dir: *results, fresh: *fresh, any: *page}
	if err := start(config, *only, *out, a, *child); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func start(config load.Config, only, out string, a *archive, child bool) error {
	if child {
		return work(os.Stdin, os.Stdout)
	}
	var names []string
	for _, c := range contenders {
		if only == "" || strings.Contains(","+only+",", ","+c.Name+",") {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("no contender %q", only)
	}
	if config.Nodes < load.Zones || config.PodsPerNode < 1 || config.Span < 10*time.Minute {
		return fmt.Errorf("want at least %d nodes, 1 pod and 10 minutes", load.Zones)
	}
	code, err := machine.ThisCode()
	if err != nil {
		return err
	}
	a.build = code.Build
	s := newStudy(config, names)
	if err := s.collect(a); err != nil {
		return err
	}
	return s.write(out)
}
