// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package leader has one process work at a time.
package leader

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

// Config says who competes for what.
type Config struct {
	Namespace, Name, Identity string
	// Recorder tells who leads.
	Recorder record.EventRecorder
}

// Run calls work while this process leads, and returns when ctx has ended.
func Run(ctx context.Context, client kubernetes.Interface, config Config, work func(context.Context)) error {
	lock := &resourcelock.LeaseLock{
		LeaseMeta: metav1.ObjectMeta{Namespace: config.Namespace, Name: config.Name},
		Client:    client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{
			Identity:      config.Identity,
			EventRecorder: config.Recorder,
		},
	}
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		ReleaseOnCancel: true,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: work,
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return fmt.Errorf("leader election: %w", err)
	}
	elector.Run(ctx)
	return nil
}

// NewLock returns a lock through client-go's own constructor.
func NewLock(client kubernetes.Interface, config Config) (resourcelock.Interface, error) {
	return resourcelock.New(resourcelock.LeasesResourceLock, config.Namespace, config.Name,
		client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{
			Identity:      config.Identity,
			EventRecorder: config.Recorder,
		})
}
