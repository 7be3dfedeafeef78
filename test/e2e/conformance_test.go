// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// The sinks that write to an API server keep the contract with a real one behind them, so the contract is one that the
// real one keeps.
//
// Caught: CoreV1 answering with the event as it was sent, and patching without the resourceVersion.
func TestSinksConform(t *testing.T) {
	for name, sink := range map[string]func(kubernetes.Interface) events.Sink{
		"EventsV1": func(c kubernetes.Interface) events.Sink { return sinks.EventsV1(c.EventsV1()) },
		"CoreV1":   func(c kubernetes.Interface) events.Sink { return sinks.CoreV1(c.CoreV1()) },
		"client-go's EventSinkImpl": func(c kubernetes.Interface) events.Sink {
			return &clientevents.EventSinkImpl{Interface: c.EventsV1()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := harness.New(t, shared)
			for _, namespace := range []string{metav1.NamespaceDefault, metav1.NamespaceSystem} {
				env.Allow(namespace, harness.EventsV1, harness.CoreV1)
			}
			eventstest.TestSink(t, func(*testing.T) events.Sink { return sink(env.Client) })
		})
	}
}
