// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The ways of finding out what changed on a node.
const (
	plegEvented = "evented"
	plegGeneric = "generic"
)

// The default lengths: an hour is what the server keeps Events for, and in real
// time three minutes are enough to see series grow.
const (
	simulatedDuration = time.Hour
	realDuration      = 3 * time.Minute
	minDuration       = time.Minute
)

// options are the flags.
type options struct {
	kubeconfig   string
	controlPlane bool
	duration     time.Duration
	namespace    string
	pleg         string
	seed         uint64
}

// simulated says whether the node lives in simulated time, with an API in memory.
func (o options) simulated() bool { return o.kubeconfig == "" && !o.controlPlane }

const usage = `A mini-kubelet that records its Events twice: as kubelet is wired today (before.go)
and with this SDK (after.go). It plays the same script for both and compares what
the API server has in the end.

Without flags it needs no cluster: one simulated hour against an API in memory.
With --kubeconfig or --control-plane it runs in real time and writes real Events;
the pods they are about exist in memory only. The Events are left behind, to be
looked at, and expire as all Events do.

Usage: go run ./examples/kubelet-migration [flags]

`

// parse reads the flags. It returns [flag.ErrHelp] after having printed the help.
func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("kubelet-migration", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints the error, once
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "run on the cluster of this kubeconfig `file`, in real time")
	flags.BoolVar(&o.controlPlane, "control-plane", false, "run on a local control plane, in real time: starts\n"+
		"the etcd and kube-apiserver found in $KUBEBUILDER_ASSETS or bin/controlplane")
	flags.DurationVar(&o.duration, "duration", 0,
		"length of the script, at least 1m (default 1h simulated, 3m in real time)")
	flags.StringVar(&o.namespace, "namespace", metav1.NamespaceDefault, "`namespace` of the pods; it must exist")
	flags.StringVar(&o.pleg, "pleg", plegEvented, "how changes are found: evented or generic")
	flags.Uint64Var(&o.seed, "seed", 1, "what happens follows from this `number`")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, usage)
		flags.SetOutput(out)
		flags.PrintDefaults()
	}
	if err != nil {
		return o, err
	}
	return o, o.complete(flags.Args())
}

// complete fills in the defaults and checks the flags.
func (o *options) complete(rest []string) error {
	if o.duration == 0 {
		o.duration = realDuration
		if o.simulated() {
			o.duration = simulatedDuration
		}
	}
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.kubeconfig != "" && o.controlPlane:
		return errors.New("--kubeconfig and --control-plane exclude each other")
	case o.duration < minDuration:
		return fmt.Errorf("--duration=%v is less than %v", o.duration, minDuration)
	case o.pleg != plegEvented && o.pleg != plegGeneric:
		return fmt.Errorf("--pleg=%s, want %s or %s", o.pleg, plegEvented, plegGeneric)
	}
	return nil
}
