// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command release keeps the promises of VERSIONING.md: what the API is, what may change in it, and that a version can
// be released as it is.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/eventseries/eventseries/tools/release/internal/golden"
	"github.com/eventseries/eventseries/tools/release/internal/promise"
	"github.com/eventseries/eventseries/tools/release/internal/rehearsal"
	"github.com/eventseries/eventseries/tools/release/internal/surface"
)

const usage = `release keeps the promises of VERSIONING.md.

	release [-root dir] api               write api/*.txt
	release [-root dir] api-check         compare with api/*.txt and with the last release
	release [-root dir] rehearse v1.2.3   do everything that a release does, but for the tag

`

// errUsage is for arguments that make no sense; what is wrong with them has been said.
var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	root := flags.String("root", ".", "the module's directory")
	dirty := flags.Bool("dirty", false, "rehearse HEAD although the working tree differs; for tests of this tool")
	if err := flags.Parse(args); err != nil {
		return errors.Join(errUsage, err)
	}
	dir, err := filepath.Abs(*root)
	if err != nil {
		return err
	}
	switch command := flags.Args(); {
	case len(command) == 1 && command[0] == "api":
		return write(ctx, dir, stdout)
	case len(command) == 1 && command[0] == "api-check":
		return promise.Check(ctx, dir, "", stdout)
	case len(command) == 2 && command[0] == "rehearse" && command[1] != "":
		r := rehearsal.Rehearsal{Root: dir, Version: command[1], Dirty: *dirty, Out: stdout}
		return r.Run(ctx)
	}
	flags.Usage()
	return errUsage
}

// write writes the golden files.
func write(ctx context.Context, root string, stdout io.Writer) error {
	m, err := surface.Load(ctx, root)
	if err != nil {
		return err
	}
	files, err := golden.Of(m)
	if err != nil {
		return err
	}
	if err := files.Write(filepath.Join(root, golden.Dir)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "wrote %d files in %s/\n", len(files), golden.Dir)
	return nil
}
