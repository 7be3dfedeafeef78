// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/eventseries/eventseries/adapter"
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

	lock, err := adapter.LeaderElectionLock(c.config, events.NewRecorder("example.com/leader-election"),
		types.NamespacedName{Namespace: c.namespace, Name: "leader-election-example"})
	if err != nil {
		return err
	}
	lock.LockConfig.Identity = c.identity
	if c.config.Host == "" { // the API in memory has no address
		lock.Client = c.client.CoordinationV1()
	}
	for n := 1; ctx.Err() == nil && (c.terms == 0 || n <= c.terms); n++ {
		if err := c.lead(ctx, lock, n); err != nil {
			return err
		}
	}
	return nil
}

// lead waits for the lease, holds it for a term, and steps down.
func (c *candidate) lead(ctx context.Context, lock resourcelock.Interface, n int) error {
	ctx, stepDown := context.WithCancel(ctx)
	defer stepDown()
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
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
