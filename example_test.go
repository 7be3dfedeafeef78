// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventseries_test

import (
	"fmt"
	"strings"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries"
)

// The API server's audit log and metrics tell the recorder's requests from the component's others.
func ExampleWithUserAgent() {
	config := &rest.Config{Host: "https://cluster.example.com", UserAgent: "my-controller/v1.2.3"}
	config.QPS, config.Burst = 50, 100 // a client of its own, so that events delay nothing else

	client, err := kubernetes.NewForConfig(eventseries.WithUserAgent(config))

	fmt.Println(client != nil, err)
	agent := eventseries.WithUserAgent(config).UserAgent
	fmt.Println(strings.TrimSuffix(agent, eventseries.Version()))
	// Output:
	// true <nil>
	// my-controller/v1.2.3 eventseries/
}

// For a component's own "version" command or start-up line.
func ExampleVersion() {
	fmt.Println(eventseries.Version() != "")
	// Output: true
}
