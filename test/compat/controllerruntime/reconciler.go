// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controllerruntime has the reconciler of docs/start.md.
package controllerruntime

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create;patch

// Reconciler warns about Deployments with unavailable replicas.
type Reconciler struct {
	client.Client
	Recorder events.EventRecorder // of k8s.io/client-go/tools/events
}

// Reconcile records a Warning about a Deployment that lacks replicas.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	web := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, web); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if n := web.Status.UnavailableReplicas; n > 0 {
		r.Recorder.Eventf(web, nil, corev1.EventTypeWarning, "Unavailable", "CheckReplicas", "%d replicas are unavailable", n)
	}
	return ctrl.Result{}, nil
}
