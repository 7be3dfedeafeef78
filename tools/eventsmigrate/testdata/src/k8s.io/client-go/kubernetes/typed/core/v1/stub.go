// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

type EventsGetter interface {
	Events(namespace string) EventInterface
}

type EventInterface interface {
	CreateWithEventNamespace(event *corev1.Event) (*corev1.Event, error)
	UpdateWithEventNamespace(event *corev1.Event) (*corev1.Event, error)
	PatchWithEventNamespace(event *corev1.Event, data []byte) (*corev1.Event, error)
}

type PodInterface interface {
	Create(ctx context.Context, pod *corev1.Pod, opts metav1.CreateOptions) (*corev1.Pod, error)
	Update(ctx context.Context, pod *corev1.Pod, opts metav1.UpdateOptions) (*corev1.Pod, error)
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*corev1.Pod, error)
}

type PodsGetter interface {
	Pods(namespace string) PodInterface
}

type CoreV1Interface interface {
	RESTClient() rest.Interface
	EventsGetter
	PodsGetter
}

type CoreV1Client struct{}

func New(c rest.Interface) *CoreV1Client { return nil }

func (c *CoreV1Client) Events(namespace string) EventInterface { return nil }

type EventSinkImpl struct{ Interface EventInterface }

func (e *EventSinkImpl) Create(event *corev1.Event) (*corev1.Event, error) { return event, nil }
func (e *EventSinkImpl) Update(event *corev1.Event) (*corev1.Event, error) { return event, nil }
func (e *EventSinkImpl) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	return event, nil
}
