// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"errors"
	"fmt"
	"io"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/internal/testkit/controlplane"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Options says how much to measure. The defaults take some ten minutes on two cores.
type Options struct {
	Rounds   int       // of every contender; 7 by default
	Events   int       // distinct events a trial; 3000 by default
	Series   int       // unwritten series a drain; 10,000 by default
	Writers  int       // 8 by default
	Progress io.Writer // a line a trial; nil for none
}

func (o Options) withDefaults() Options {
	for _, number := range []struct {
		value *int
		usual int
	}{{&o.Rounds, 7}, {&o.Events, 3000}, {&o.Series, 10_000}, {&o.Writers, 8}} {
		if *number.value == 0 {
			*number.value = number.usual
		}
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	return o
}

// Run starts a control plane, measures both scenes and stops it.
func Run(ctx context.Context, o Options) (sections []report.Section, err error) {
	plane, err := controlplane.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("realapi: %w", err)
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	// A cluster administrator is exempt from priority and fairness.
	config, err := clientcmd.RESTConfigFromKubeConfig(plane.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("realapi: %w", err)
	}
	config.QPS = -1 // no limit on the client's side
	return run(ctx, config, o.withDefaults())
}

// run measures on whatever serves config.
func run(ctx context.Context, config *rest.Config, o Options) (sections []report.Section, err error) {
	for _, s := range scenes(o) {
		rounds, err := s.play(ctx, config, o)
		if err != nil {
			return nil, fmt.Errorf("realapi: %s: %w", s.title, err)
		}
		sections = append(sections, s.section(rounds))
	}
	return sections, nil
}
