// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command kubelet-migration shows what changes when a component moves its Events
// to this SDK, on the component with the most of them. The wiring is in before.go
// and after.go; everything else is a small kubelet that gives them something to
// record.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	o, err := parse(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return
	case err != nil:
		fail(2, fmt.Errorf("%w (see -h)", err))
	case o.simulated():
		simulate(o)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := runReal(ctx, o, os.Stdout); err != nil {
		stop()
		fail(1, err)
	}
}

// fail prints why the program ends, and ends it.
func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "kubelet-migration:", err)
	os.Exit(code)
}
