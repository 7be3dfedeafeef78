// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controllerruntime

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/eventseries/eventseries/adapter"
)

// Lead runs a manager with leader election that needs RBAC for events.k8s.io only. It is the code of docs/faq.md.
func Lead(ctx context.Context, config *rest.Config, options ctrl.Options, namespace string) error {
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		return err
	}
	lock, err := adapter.LeaderElectionLock(config, a.NewRecorder("web-controller"),
		types.NamespacedName{Namespace: namespace, Name: "web.example.com"}) // in a pod the name is enough
	if err != nil {
		return err
	}
	options.LeaderElection = true
	options.LeaderElectionResourceLockInterface = lock // in place of LeaderElectionNamespace
	mgr, err := ctrl.NewManager(config, options)
	if err != nil {
		return err
	}
	if err := a.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	defer a.Shutdown() // after the manager, whose election ends last
	return mgr.Start(ctx)
}
