// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package mcevents_test

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	mccontext "sigs.k8s.io/multicluster-runtime/pkg/context"
	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"

	mcevents "github.com/eventseries/eventseries/contrib/multicluster"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The provider of a manager engages the clusters, and a reconciler records in the cluster of each
// request.
func ExampleForManager() {
	host := apiserver.New() // in a component: a cluster
	mgr, _, err := newManager(host)
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := mcevents.ForManager(mgr)
	if err != nil {
		fmt.Println(err) // what the configuration or an option got wrong
		return
	}
	r := &reconciler{recorder: set.Recorder("example.com/my-controller")}

	ctx, stop := context.WithCancel(context.Background())
	request := manager.RunnableFunc(func(ctx context.Context) error { // in a component: a controller
		defer stop()
		_, err := r.Reconcile(mccontext.WithCluster(ctx, mcmanager.LocalCluster), reconcile.Request{})
		return err
	})
	if err := mgr.GetLocalManager().Add(request); err != nil {
		fmt.Println(err)
	}
	if err := mgr.Start(ctx); err != nil {
		fmt.Println(err)
	}
	for _, s := range eventstest.SeriesOf(host.Events()...) {
		fmt.Println(s)
	}
	// Output: Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
}
