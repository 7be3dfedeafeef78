// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/leaderelection"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// Leader election of client-go. The end comes in this order: the election, then the Events. With controller-runtime the
// lock is manager.Options.LeaderElectionResourceLockInterface, and Manager.Start takes the place of Run.
func ExampleLeaderElectionLock() {
	server := apiserver.New() // in a component: a cluster,
	config := server.Config() // and ctrl.GetConfig or rest.InClusterConfig

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	lock, err := adapter.LeaderElectionLock(config, a.NewRecorder("example.com/my-controller"),
		types.NamespacedName{Namespace: "default", Name: "my-controller"}) // in a pod the name is enough
	if err != nil {
		fmt.Println(err)
		return
	}
	lock.LockConfig.Identity = "my-controller-0" // by default the host name and a UUID
	if err := a.Start(context.WithoutCancel(ctx)); err != nil {
		fmt.Println(err)
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:          lock,
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { stop() }, // a component works until it is told to end
			OnStoppedLeading: func() {},
		},
	})
	a.Shutdown()

	show(server.Clientset)
	// Output:
	// Normal LeaderElection (BecomeLeader) Lease default/my-controller x1: "my-controller-0 became leader"
	// Normal LeaderElection (StopLeading) Lease default/my-controller x1: "my-controller-0 stopped leading"
}
