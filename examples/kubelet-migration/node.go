// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/pleg"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/scenario"
)

const (
	// stopTimeout bounds how long a kubelet that stops waits for its Events.
	stopTimeout = 30 * time.Second
	// settleTime is for a write that Shutdown left in flight, before we count.
	settleTime = 2 * time.Second
)

// node is one simulated node with one way of recording Events.
type node struct {
	name     types.NodeName
	side     side
	api      api
	options  options
	progress func(done time.Duration) // may be nil
}

// result is what became of the Events of a node.
type result struct {
	occurrences, writes int64
	stored              stored
	pods                int           // of the script
	ran                 time.Duration // less than the script if interrupted
	fallbacks, returns  int64
}

func (r result) lost() int64 { return r.occurrences - r.stored.counts }

// run plays the script on the node and counts what the server has afterwards.
// The end of ctx ends the script early.
func (n node) run(ctx context.Context) (result, error) {
	// The recorder outlives the kubelet, also when that is interrupted.
	recording, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	deps := &kubelet.Dependencies{EventClient: n.api.client}
	n.side.makeEventRecorder(recording, deps, n.name)

	tally := newTally(deps.Recorder)
	out := n.play(ctx, tally)
	out.occurrences = tally.occurrences.Load()

	stopping, cancel := context.WithTimeout(recording, stopTimeout)
	defer cancel()
	if err := deps.StopEvents(stopping); err != nil {
		return result{}, fmt.Errorf("stopping the Events: %w", err)
	}
	time.Sleep(settleTime)
	var err error
	out.writes = n.api.writes()
	out.stored, err = n.api.read(recording, n.name, n.options.namespace)
	return out, err
}

// play runs a kubelet for the length of the script.
func (n node) play(ctx context.Context, recorder tally) result {
	script := scenario.New(n.options.seed, n.options.duration, n.options.namespace, string(n.name))
	runtime := cri.New(script.Images...)
	defer runtime.Close() // after the kubelet, which would take it for a crash
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer cancel()
	cache := pleg.NewCache()
	generic := pleg.NewGeneric(runtime, cache)
	evented := pleg.NewEvented(generic, runtime, pleg.DefaultSettings())
	parts := kubelet.Parts{Node: n.name, Recorder: recorder, Runtime: runtime, PLEG: evented, Cache: cache}
	if n.options.pleg == plegGeneric {
		parts.PLEG = generic
	}
	k := kubelet.New(parts)
	group.Go(func() { k.Run(ctx) })
	group.Go(func() { n.report(ctx) })
	began := time.Now()
	script.Play(ctx, k, runtime)
	return result{
		pods: script.Pods, ran: time.Since(began).Round(time.Second),
		fallbacks: evented.Fallbacks(), returns: evented.Returns(),
	}
}

// report tells how far the script is, until ctx ends.
func (n node) report(ctx context.Context) {
	if n.progress == nil {
		return
	}
	began := time.Now()
	tick := time.NewTicker(n.options.duration / 120)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			n.progress(now.Sub(began))
		case <-ctx.Done():
			return
		}
	}
}
