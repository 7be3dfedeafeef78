// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events/eventstest"
)

// check prints the RBAC that a component lacks, as in the usage of the package.
func check(ctx context.Context, client kubernetes.Interface) error {
	prober := discovery.NewProber(client)
	support, err := prober.Probe(ctx)
	if support == discovery.Unknown {
		return err // ask again later; this is not a no
	}
	access, err := prober.Access(ctx, "shop")
	if remedy := access.Remedy(); remedy != "" {
		fmt.Println(remedy) // kubectl apply -f -
	}
	return err
}

// onlyCore returns a clientset of a server that allows only core/v1, as before a migration.
func onlyCore() *eventstest.Clientset {
	client := eventstest.NewClientset()
	client.Authorize(func(r eventstest.Request) bool { return r.Group == "" })
	return client
}

// A Prober asks both questions of a server that serves and allows everything.
func Example() {
	client := eventstest.NewClientset() // in a component: kubernetes.NewForConfigOrDie(config)
	if err := check(context.Background(), client); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("nothing is missing")
	// Output: nothing is missing
}

func ExampleProber_Probe() {
	client := eventstest.NewClientset()
	client.ServeEventsV1(false) // an old server, or one with the group switched off

	support, err := discovery.NewProber(client).Probe(context.Background())
	switch support {
	case discovery.Served:
		fmt.Println("record through events.k8s.io/v1")
	case discovery.NotServed:
		fmt.Println("record through core/v1, and probe again some time")
	case discovery.Unknown:
		fmt.Println("change nothing, and probe again soon:", err)
	}
	// Output: record through core/v1, and probe again some time
}

// If the server does not answer the question, a component changes nothing and asks again later.
func ExampleSupport() {
	client := eventstest.NewClientset()
	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))

	support, err := discovery.NewProber(client).Probe(context.Background())
	fmt.Println(support)
	fmt.Println(err)
	// Output:
	// unknown
	// discovery: cannot tell whether events.k8s.io/v1 is served; ask again later: starting
}

func ExampleProber_Access() {
	access, err := discovery.NewProber(onlyCore()).Access(context.Background(), "shop")
	if err != nil {
		fmt.Println("some of it is not known:", err)
	}
	fmt.Printf("in %s: events.k8s.io/v1 %s, core/v1 %s\n", access.Namespace, access.EventsV1, access.CoreV1)
	// Output: in shop: events.k8s.io/v1 denied, core/v1 allowed
}
