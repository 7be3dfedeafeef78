// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/internal/testkit/controlplane"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Options says how much to measure. The defaults take some ten minutes on two cores.
type Options struct {
	Rounds   int                             // of every contender; 7 by default
	Events   int                             // distinct events a trial; 3000 by default
	Series   int                             // unwritten series a drain; 10,000 by default
	Writers  int                             // 8 by default
	Progress func(done, of int, what string) // before each trial; nil for none
}

// The titles of the scenes' sections.
const (
	Creates = "Real kube-apiserver, distinct events"
	Drain   = "Real kube-apiserver, Drain"
)

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
		o.Progress = func(int, int, string) {}
	}
	return o
}

// Run starts a control plane, measures the scene of a title and stops it.
func Run(ctx context.Context, title string, o Options) (section report.Section, err error) {
	plane, err := controlplane.Start(ctx)
	if err != nil {
		return section, fmt.Errorf("realapi: %w", err)
	}
	defer func() { err = errors.Join(err, plane.Stop()) }()
	// A cluster administrator is exempt from priority and fairness.
	config, err := clientcmd.RESTConfigFromKubeConfig(plane.Kubeconfig)
	if err != nil {
		return section, fmt.Errorf("realapi: %w", err)
	}
	config.QPS = -1 // no limit on the client's side
	return run(ctx, config, title, o.withDefaults())
}

// run measures on whatever serves config.
func run(ctx context.Context, config *rest.Config, title string, o Options) (section report.Section, err error) {
	all := scenes(o)
	i := slices.IndexFunc(all, func(s scene) bool { return s.title == title })
	if i < 0 {
		return section, fmt.Errorf("realapi: no scene %q", title)
	}
	rounds, err := all[i].play(ctx, config, o)
	if err != nil {
		return section, fmt.Errorf("realapi: %s: %w", title, err)
	}
	return all[i].section(rounds), nil
}
