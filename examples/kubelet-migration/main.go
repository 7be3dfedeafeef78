// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Command kubelet-migration shows what changes when a component moves its Events to this SDK. The component is a small
// kubelet. It runs the same script twice, and a table compares what the API server has in the end.
//
//	before.go         makeEventRecorder with client-go, as in kubelet today
//	after.go          makeEventRecorder with this SDK
//	script.go         what happens to the node: pods that crash, images that cannot be pulled, a rollout, jobs
//	node.go           runs the kubelet through the script with one of the two recorders
//	simulated.go      one hour in simulated time, with an API server in memory
//	real.go           real time, with a real API server
//	internal/kubelet  the kubelet
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := runReal(ctx, o); err != nil {
		stop()
		fail(1, err)
	}
}

// fail prints an error and ends the program.
func fail(code int, err error) {
	say("kubelet-migration: %v", err)
	os.Exit(code)
}

// say prints a line about progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

const (
	minDuration       = time.Minute
	simulatedDuration = time.Hour       // as long as the server keeps Events
	realDuration      = 3 * time.Minute // enough to see counts grow
)

// options are the flags.
type options struct {
	kubeconfig, namespace string
	duration              time.Duration
	seed                  uint64
}

// simulated reports whether the node lives in simulated time.
func (o options) simulated() bool { return o.kubeconfig == "" }

const usage = `A small kubelet records its Events twice: with client-go (before.go) and with this SDK (after.go).
Both run the same script, and a table compares what the API server has in the end.

Without flags it needs no cluster: one simulated hour, with an API server in memory.
With --kubeconfig it runs in real time and writes real Events. Their pods exist in memory
only. The Events stay until they expire, as all Events do.

Usage: go run ./examples/kubelet-migration [flags]

`

// parse reads the flags. It prints the help and returns [flag.ErrHelp] if the help is asked for.
func parse(args []string, out io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("kubelet-migration", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "run on the cluster of this kubeconfig `file`, in real time")
	flags.DurationVar(&o.duration, "duration", 0,
		"length of the script, at least 1m (default 1h simulated, 3m in real time)")
	flags.StringVar(&o.namespace, "namespace", metav1.NamespaceDefault, "`namespace` of the pods, which must exist")
	flags.Uint64Var(&o.seed, "seed", 1, "`number` that decides what happens")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(out, usage)
			flags.SetOutput(out)
			flags.PrintDefaults()
		}
		return o, err
	}
	if o.duration == 0 {
		o.duration = realDuration
		if o.simulated() {
			o.duration = simulatedDuration
		}
	}
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.duration < minDuration:
		err = fmt.Errorf("--duration=%v is less than %v", o.duration, minDuration)
	}
	return o, err
}
