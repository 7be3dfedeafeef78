// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/legacy"
)

// candidate is one process that wants to lead.
type candidate struct {
	config              *rest.Config
	client              kubernetes.Interface
	namespace, identity string
	terms               int           // how often to lead; 0 until the context ends
	term                time.Duration // how long to lead each time, if terms is set
	drainTimeout        time.Duration
	say                 func(format string, args ...any)
}

// run leads, and hands over when ctx ends: first the lease is released, so that
// the next one need not wait for it to expire, then the Events that this caused
// are drained.
func (c *candidate) run(ctx context.Context) (err error) {
	events := adapter.New(ctx, c.client)
	// After the end of ctx the recorder waits for five seconds; the hand-over may take longer.
	if err := events.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	defer func() {
		drain, cancel := context.WithTimeout(context.Background(), c.drainTimeout)
		defer cancel()
		if drainErr := events.Drain(drain); drainErr != nil && err == nil {
			err = drainErr
		}
	}()

	lock, err := c.lock(legacy.AsLegacy(events.Recorder("example.com/leader-election")))
	if err != nil {
		return err
	}
	for n := 1; ctx.Err() == nil && (c.terms == 0 || n <= c.terms); n++ {
		if err := c.lead(ctx, lock, n); err != nil {
			return err
		}
	}
	return nil
}

// lock is a Lease that the election is about. On a cluster it has a client of its own, so that a renewal waits for
// nothing else.
func (c *candidate) lock(recorder resourcelock.EventRecorder) (resourcelock.Interface, error) {
	const kind, name = resourcelock.LeasesResourceLock, "leader-election-example"
	config := resourcelock.ResourceLockConfig{Identity: c.identity, EventRecorder: recorder}
	if c.config == nil { // the API in memory
		return resourcelock.New(kind, c.namespace, name, c.client.CoreV1(), c.client.CoordinationV1(), config)
	}
	return resourcelock.NewFromKubeconfig(kind, c.namespace, name, config, c.config, renewDeadline)
}

// renewDeadline is how long the leader may be unable to renew its lease.
const renewDeadline = 10 * time.Second

// lead waits for the lease, holds it for a term, and steps down.
func (c *candidate) lead(ctx context.Context, lock resourcelock.Interface, n int) error {
	ctx, stepDown := context.WithCancel(ctx)
	defer stepDown()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   renewDeadline,
		RetryPeriod:     2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				c.say("%s leads (term %d)", c.identity, n)
				if c.terms == 0 {
					return
				}
				select {
				case <-time.After(c.term):
					stepDown()
				case <-ctx.Done():
				}
			},
			OnStoppedLeading: func() { c.say("%s stepped down", c.identity) },
		},
	})
	if err != nil {
		return fmt.Errorf("leader-election: %w", err)
	}
	elector.Run(ctx)
	return nil
}
