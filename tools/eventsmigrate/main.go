// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// Exit codes of all commands.
const (
	nothingLeft   = 0
	somethingLeft = 1
	couldNotRun   = 2
)

// memoryLimit is when the garbage collector works harder. A run on Kubernetes keeps half of it. The collector's default is
// to let the heap grow to twice of what is kept.
const memoryLimit = 3 << 30

func main() {
	if vetting(os.Args[1:]) {
		vet()
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs a command in the current directory, and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == helpCommand {
		return help(args[1:], stdout, stderr)
	}
	c, args := chosen(args)
	options, err := c.parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nothingLeft
	} else if err != nil {
		return couldNotRun
	}
	if options.version {
		fmt.Fprintf(stdout, "eventsmigrate %s\n", version())
		return nothingLeft
	}
	result, err := c.job(ctx, options, stdin, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "eventsmigrate: %v\n", err)
		return couldNotRun
	}
	if err := show(options, result, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "eventsmigrate: print the report: %v\n", err)
		return couldNotRun
	}
	if result.Left() {
		return somethingLeft
	}
	return nothingLeft
}

// show prints the report. A diff is alone on standard output, so that git apply can read it.
func show(options *options, result *report.Report, stdout, stderr io.Writer) error {
	switch {
	case options.json:
		return result.JSON(stdout)
	case options.diff:
		if _, err := io.WriteString(stdout, result.Diff); err != nil {
			return err
		}
		return result.Text(stderr)
	default:
		return result.Text(stdout)
	}
}
