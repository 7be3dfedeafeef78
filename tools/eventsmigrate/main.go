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

// Exit codes.
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

// run runs the program in the current directory, and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	options, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nothingLeft
	} else if err != nil {
		return couldNotRun
	}
	if options.version {
		fmt.Fprintf(stdout, "eventsmigrate %s\n", version())
		return nothingLeft
	}
	if options.catalog {
		return catalogue(ctx, options, stdout, stderr)
	}
	var result *report.Report
	if options.rbac {
		result, err = checkRoles(options, stdin)
	} else {
		result, err = migrate(ctx, options, stderr)
	}
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
	text := result.Text
	if options.rbac {
		text = func(w io.Writer) error { return printRoles(w, result) }
	}
	switch {
	case options.json:
		return result.JSON(stdout)
	case options.diff:
		if _, err := io.WriteString(stdout, result.Diff); err != nil {
			return err
		}
		result.Diff = ""
		return text(stderr)
	default:
		return text(stdout)
	}
}
