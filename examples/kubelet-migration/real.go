// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/controlplane"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/progress"
)

// runReal compares the two sides on a real API server, at the same time, and
// prints the table. An interrupt ends the script early.
func runReal(ctx context.Context, o options, out io.Writer) (err error) {
	line := progress.New(os.Stderr)
	config, stop, err := connect(ctx, o, line)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()

	nodes, err := realNodes(ctx, o, config)
	if err != nil {
		return err
	}
	nodes[0].progress = func(done time.Duration) { line.Step("before and after", done, o.duration) }
	line.Say("before and after: running %v of real time, interrupt to end it early", o.duration)
	results := make([]result, len(nodes))
	errs := make([]error, len(nodes))
	var group sync.WaitGroup
	for i, n := range nodes {
		group.Go(func() { results[i], errs[i] = n.run(ctx) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	line.Say("before and after: done, as nodes %s and %s", nodes[0].name, nodes[1].name)
	return printTable(out, o, results[0], results[1])
}

// connect returns what to talk to, and how to stop it.
func connect(ctx context.Context, o options, line *progress.Line) (*rest.Config, func() error, error) {
	if o.controlPlane {
		return controlplane.Start(ctx, line.Say)
	}
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return nil, nil, fmt.Errorf("--kubeconfig: %w", err)
	}
	return config, func() error { return nil }, nil
}

// realNodes returns a node per side, with names that tell their Events from all
// others on the server.
func realNodes(ctx context.Context, o options, config *rest.Config) ([]node, error) {
	run := rand.String(5)
	var nodes []node
	for _, side := range []side{before, after} {
		api, err := clusterAPI(config)
		if err != nil {
			return nil, err
		}
		if err := api.check(ctx, o.namespace); err != nil {
			return nil, err
		}
		name := types.NodeName(fmt.Sprintf("%s-%s", side.name, run))
		nodes = append(nodes, node{name: name, side: side, api: api, options: o})
	}
	return nodes, nil
}
