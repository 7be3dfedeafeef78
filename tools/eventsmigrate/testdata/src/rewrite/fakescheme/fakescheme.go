// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakescheme has tests about custom resources.
package fakescheme

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

type custom struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (c *custom) DeepCopyObject() runtime.Object { return c }

type reconciler struct {
	scheme   *runtime.Scheme
	recorder record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

func (r *reconciler) reconcile(c *custom) { r.recorder.Event(c, "Normal", "Created", "made") } // want "Event becomes Eventf with action \"Created\""

func (r *reconciler) Scheme() *runtime.Scheme { return r.scheme }
