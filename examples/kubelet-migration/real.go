// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/tools/clientcmd"
)

// runReal compares the two sides on a real API server, at the same time, and prints the table. The end of ctx ends the
// script early.
func runReal(ctx context.Context, o options) error {
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return fmt.Errorf("--kubeconfig: %w", err)
	}
	run := rand.String(5) // distinguishes the Events of this run from all others on the server
	var nodes []node
	for _, side := range []side{before, after} {
		api, err := clusterAPI(ctx, config, o.namespace)
		if err != nil {
			return err
		}
		nodes = append(nodes, node{
			options: o,
			name:    types.NodeName(side.name + "-" + run),
			side:    side,
			api:     api,
		})
	}
	say("before and after: running %v of real time, interrupt to end it early", o.duration)
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
	say("before and after: done, as nodes %s and %s", nodes[0].name, nodes[1].name)
	return printTable(os.Stdout, o, results[0], results[1])
}
