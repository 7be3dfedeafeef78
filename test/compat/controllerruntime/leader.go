// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controllerruntime

import (
	"context"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/legacy"
)

// Lead runs a manager with leader election that needs RBAC for events.k8s.io only. It is the code of docs/faq.md.
func Lead(ctx context.Context, config *rest.Config, options ctrl.Options, namespace, identity string) error {
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		return err
	}
	const renewDeadline = 10 * time.Second // the manager's default
	lock, err := resourcelock.NewFromKubeconfig(
		resourcelock.LeasesResourceLock, namespace, "my-controller.example.com",
		resourcelock.ResourceLockConfig{
			Identity:      identity,
			EventRecorder: legacy.AsLegacy(a.Recorder("my-controller")),
		},
		config, renewDeadline)
	if err != nil {
		return err
	}
	options.LeaderElection = true
	options.LeaderElectionResourceLockInterface = lock // in place of LeaderElectionNamespace and LeaderElectionID
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	if err := a.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	defer a.Shutdown() // when mgr.Start has returned
	return mgr.Start(ctx)
}
