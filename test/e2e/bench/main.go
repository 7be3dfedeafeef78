// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Bench runs the benchmarks of this module, each contender in a process of its own, and makes pages of their results.
//
//	benchmarks ──▶ results/*.txt, as go test -bench prints them ──▶ docs/evidence/*.md, by the templates
//
// A process each, because goroutines that a peer leaves behind would be charged to the next one. In rounds, because the
// speed of a machine drifts: what is compared was measured within the same minutes. One benchmark is run, as any other,
// by
//
//	go test -run '^$' -bench Memory -count 6 .
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// The contenders, as the pages show them.
const (
	sdk         = "eventseries"
	literal     = "KEP-383 alone" // the SDK without the counts that have doubled
	unlimited   = "no limit"      // the SDK with a write for each count that has doubled
	toolsEvents = "tools/events"
	toolsRecord = "tools/record"
	today       = "today"       // tools/events in the scheduler, and tools/record in everything else
	floor       = "floor"       // the least that any implementation must do to count an occurrence
	empty       = "empty call"  // a method of the same signature that does nothing
	bare        = "bare client" // client-go's typed client, with Events that are ready to be written
)

// benchmark is one of those in this package, with its contenders.
type benchmark struct {
	name   string
	impls  []string
	rounds int // that are enough
}

var (
	recorders = []string{sdk, toolsEvents, toolsRecord}
	everybody = []string{sdk, toolsEvents, toolsRecord, floor, empty}
)

// benchmarks are those of benchmarks.md, scale are those of scale.md, and clusterCost are those of cost.md.
var (
	benchmarks = []benchmark{
		{"Repeat", everybody, 10}, {"Distinct", recorders, 10}, {"TwoGoroutines", everybody, 10},
		{"Memory", recorders, 10}, {"Backlog", recorders, 10}, {"Logging", recorders, 10}, {"Path", everybody[:4], 10},
		{"Growth", []string{sdk, floor}, 3},
		{"Server", []string{bare, sdk}, 7},
		// A simulation has the same result each time, so it runs once.
		{"Storm", []string{sdk, literal, toolsEvents, toolsRecord}, 1},
		{"CrashLoop", []string{sdk, unlimited, toolsEvents, toolsRecord}, 1},
	}
	scale = []benchmark{
		{"Day", recorders, 1}, {"Component", recorders, 1}, {"Silence", recorders, 1},
		{"Size", []string{sdk, literal, toolsEvents}, 1},
	}
	clusterCost = []benchmark{
		{"Unit", recorders, 1}, {"Published", []string{today}, 1}, {"Large", recorders, 1}, {"Churn", recorders, 1},
		{"Apart", []string{"both"}, 1},
	}
)

// slug is a text as it is in the name of a benchmark.
func slug(text string) string { return strings.NewReplacer("/", "-", " ", "-", ",", "").Replace(text) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := runner{benchmarks: benchmarks}
	flag.StringVar(&r.only, "bench", ".", "run only what matches this `expression`")
	flag.IntVar(&r.count, "count", 10, "the most `rounds` in which every contender has its turn")
	flag.StringVar(&r.benchtime, "benchtime", "500ms", "the `time` of a benchmark that repeats calls")
	ofScale := flag.Bool("scale", false, "run the benchmarks of scale.md")
	ofCost := flag.Bool("cost", false, "run the benchmarks of cost.md")
	onlyPage := flag.Bool("page", false, "run nothing, write the pages of the results that there are")
	flag.Parse()
	switch {
	case *ofScale:
		r.benchmarks = scale
	case *ofCost:
		r.benchmarks = clusterCost
	}
	var err error
	if !*onlyPage {
		err = r.run(ctx)
	}
	if err == nil {
		err = writePages("results", filepath.Join("..", "..", "..", "docs", "evidence"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type runner struct {
	benchmarks      []benchmark
	only, benchtime string
	count           int
}

// run writes a file of results for each benchmark.
func (r *runner) run(ctx context.Context) error {
	only, err := regexp.Compile(r.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "bench.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for _, b := range r.benchmarks {
		if !only.MatchString(b.name) {
			continue
		}
		results := bytes.NewBufferString(circumstances())
		rounds := min(r.count, b.rounds)
		for round := range rounds {
			for i := range b.impls {
				impl := b.impls[(round+i)%len(b.impls)]
				fmt.Fprintf(os.Stderr, "%s, round %d of %d: %s\n", b.name, round+1, rounds, impl)
				c := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.timeout=0", "-test.benchtime="+r.benchtime,
					"-test.bench=^Benchmark"+b.name+"$/^impl="+regexp.QuoteMeta(slug(impl))+"$")
				c.Stderr = os.Stderr
				out, err := c.Output()
				if err != nil {
					return fmt.Errorf("%s of %s: %w: %s", b.name, impl, err, out)
				}
				results.Write(out)
			}
		}
		if err := os.WriteFile(filepath.Join("results", strings.ToLower(b.name)+".txt"), results.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// circumstances are lines of the benchmark format about what is measured.
func circumstances() string {
	said := func(command ...string) string {
		out, err := exec.Command(command[0], command[1:]...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("commit: %s\ndate: %s\ngo: %s\nclient-go: %s\n",
		said("git", "rev-parse", "--short=12", "HEAD"), time.Now().UTC().Format(time.DateOnly), runtime.Version(),
		said("go", "list", "-m", "-f", "{{.Version}}", "k8s.io/client-go"))
}
