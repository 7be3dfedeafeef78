// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controllerruntime has the reconciler of docs/start.md.
package controllerruntime

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/eventseries/eventseries/events"
)

// +kubebuilder:rbac:groups="";events.k8s.io,resources=events,verbs=create;patch
// +kubebuilder:rbac:groups="",resources=configmaps;services,verbs=get;list;watch

// Reconciler checks that the Service that a ConfigMap names exists.
type Reconciler struct {
	client.Client
	Recorder events.EventRecorder // an alias of client-go's interface
}

// Reconcile records a Warning if the Service does not exist. It returns the error, so that it is called again, after
// a delay that grows from 5 milliseconds to 17 minutes.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	route := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, route); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	name, found := route.Data["service"]
	if !found {
		return ctrl.Result{}, nil
	}
	service := &corev1.Service{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: route.Namespace, Name: name}, service); err != nil {
		r.Recorder.Eventf(route, nil, corev1.EventTypeWarning, "NoService", "FindService", "cannot route: %v", err)
		return ctrl.Result{}, err
	}
	r.Recorder.Eventf(route, service, corev1.EventTypeNormal, "Routed", "FindService", "routed to service %s", name)
	return ctrl.Result{}, nil
}
