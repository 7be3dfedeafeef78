// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command kubectl-eventseries is a plugin of kubectl for those who read Events. docs/kubectl.md is its page.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the program at once
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(command.Run(ctx, os.Args[1:], streams))
}
