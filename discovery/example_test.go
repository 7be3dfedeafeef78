// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"context"
	"fmt"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/eventseries/eventseries/discovery"
)

func ExampleNewProber() {
	client := newFake("jane", nothing) // kubernetes.NewForConfig(config) in a component
	prober := discovery.NewProber(client, discovery.WithTimeout(3*time.Second))

	support, _ := prober.Probe(context.Background())
	fmt.Println(support)
	// Output: served
}

func ExampleProber_Probe() {
	client := newFake("jane", nothing)
	client.Resources = nil // an old server, or one with the group switched off

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

func ExampleProber_Access() {
	// This component has a Role from before the migration, for core/v1 only.
	client := newFake("jane", func(a *authorizationv1.ResourceAttributes) bool { return a.Group == "" })

	access, err := discovery.NewProber(client).Access(context.Background(), "shop")
	if err != nil {
		fmt.Println("some of it is not known:", err)
	}
	fmt.Printf("%s in %s: events.k8s.io/v1 %s, core/v1 %s\n",
		access.User, access.Namespace, access.EventsV1, access.CoreV1)
	// Output: jane in shop: events.k8s.io/v1 denied, core/v1 allowed
}

func ExampleAccess_Remedy() {
	access := discovery.Access{
		Namespace: "shop",
		User:      "system:serviceaccount:operators:controller",
		EventsV1:  discovery.Denied,
		CoreV1:    discovery.Allowed,
	}
	fmt.Print(access.Remedy())
	// Output:
	// # Lets "system:serviceaccount:operators:controller" record Events in namespace "shop".
	// # Found: events.k8s.io/v1 denied, core/v1 allowed.
	// apiVersion: rbac.authorization.k8s.io/v1
	// kind: Role
	// metadata: {name: "eventseries-operators-controller-5a3725ad", namespace: "shop"}
	// rules:
	// - apiGroups: ["events.k8s.io"]
	//   resources: ["events"]
	//   verbs: ["create", "patch"]
	// ---
	// apiVersion: rbac.authorization.k8s.io/v1
	// kind: RoleBinding
	// metadata: {name: "eventseries-operators-controller-5a3725ad", namespace: "shop"}
	// roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: "eventseries-operators-controller-5a3725ad"}
	// subjects:
	// - {kind: ServiceAccount, namespace: "operators", name: "controller"}
}
