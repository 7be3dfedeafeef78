// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
)

// EventsV1 returns a sink that writes Events through events.k8s.io/v1:
//
//	sink := sinks.EventsV1(clientset.EventsV1())
//
// The client needs RBAC to create and patch events of the API group events.k8s.io, in the
// namespaces of the Events.
func EventsV1(client typedeventsv1.EventsV1Interface) events.Sink {
	return apiclient.NewEventsV1(client)
}

// CoreV1 returns a sink that writes Events through core/v1:
//
//	sink := sinks.CoreV1(clientset.CoreV1())
//
// The objects are the same as with [EventsV1]. CoreV1 also fills in the fields that readers of
// core/v1 use: source, count, firstTimestamp and lastTimestamp.
//
// The client needs RBAC to create and patch events of the core API group, in the namespaces of the
// Events.
func CoreV1(client typedcorev1.CoreV1Interface) events.Sink {
	return apiclient.NewCoreV1(apiclient.NewCoreEvents(client))
}
