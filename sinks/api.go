// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
)

// EventsV1 writes through events.k8s.io/v1:
//
//	sink := sinks.EventsV1(clientset.EventsV1())
//
// It needs RBAC to create and patch events in API group events.k8s.io, in the namespaces
// of the events.
func EventsV1(client typedeventsv1.EventsV1Interface) events.Sink {
	return apiclient.NewEventsV1(client)
}

// CoreV1 writes the same objects as [EventsV1] through core/v1, and fills in
// the fields that readers of core/v1 use: source, count, firstTimestamp, lastTimestamp.
//
//	sink := sinks.CoreV1(clientset.CoreV1())
//
// It needs RBAC to create and patch events in the core API group.
func CoreV1(client typedcorev1.CoreV1Interface) events.Sink {
	return apiclient.NewCoreV1(apiclient.NewCoreEvents(client))
}
