// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks

import (
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
)

// CoreV1 writes the same objects as [EventsV1] through core/v1, and fills in
// what readers of core/v1 know: source, count, firstTimestamp, lastTimestamp.
//
//	sink := sinks.CoreV1(clientset.CoreV1())
//
// It needs RBAC to create and patch events in the core API group.
func CoreV1(client typedcorev1.CoreV1Interface) events.Sink { return apiclient.NewCoreV1(client) }
