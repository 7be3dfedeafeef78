// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubernetes is a stub for the analyzers' tests.
package kubernetes

import (
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
)

type Interface interface {
	CoreV1() typedcorev1.CoreV1Interface
	EventsV1() typedeventsv1.EventsV1Interface
}

type Clientset struct{}

func (c *Clientset) CoreV1() typedcorev1.CoreV1Interface       { return nil }
func (c *Clientset) EventsV1() typedeventsv1.EventsV1Interface { return nil }

func NewForConfig(config *rest.Config) (*Clientset, error) { return nil, nil }
func NewForConfigOrDie(config *rest.Config) *Clientset     { return nil }
