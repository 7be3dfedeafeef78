// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type EventsGetter interface {
	Events(namespace string) EventInterface
}

type EventInterface interface {
}

type PodInterface interface {
	Create(ctx context.Context, pod *corev1.Pod, opts metav1.CreateOptions) (*corev1.Pod, error)
}

type PodsGetter interface {
}

type CoreV1Client struct{}

type EventSinkImpl struct{ Interface EventInterface }

func (e *EventSinkImpl) Create(event *corev1.Event) (*corev1.Event, error) { return event, nil }
func (e *EventSinkImpl) Update(event *corev1.Event) (*corev1.Event, error) { return event, nil }
func (e *EventSinkImpl) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return event, nil
}
