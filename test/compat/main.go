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
	"syscall"
)

// root is the repository's, from here.
var root = filepath.Join("..", "..")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compat:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("compat", flag.ContinueOnError)
	list := f.Bool("list", false, "print the names of the rows, and do nothing")
	render := f.Bool("render", false, "run nothing, write the table in VERSIONING.md of the results that are kept")
	update := f.Bool("update", false, "run nothing, move the go.mod of every row to the newest patch")
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: go run . [flags] [row ...]   (all rows by default)")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	selected, err := choose(f.Args())
	switch {
	case err != nil:
		return err
	case *list:
		for _, r := range selected {
			fmt.Println(r.name())
		}
		return nil
	case *render:
		return publish()
	case *update:
		return updateModFiles(ctx)
	}
	return runAll(ctx, selected)
}

// runAll runs rows one after the other, and keeps each one's result as soon as it is there.
func runAll(ctx context.Context, rows []row) error {
	var failed []error
	for _, r := range rows {
		s := &steps{row: r.name(), out: os.Stdout}
		result, err := r.run(ctx, s)
		if ctx.Err() != nil {
			return fmt.Errorf("%s was interrupted, and is not saved: %w", r.name(), ctx.Err())
		}
		if err != nil {
			result.Error = err.Error()
		}
		if result.failed() {
			failed = append(failed, fmt.Errorf("%s: %s", r.name(), result.summary()))
		}
		if err := keep(result); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}
