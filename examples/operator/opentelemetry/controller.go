// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/eventseries/eventseries/events"
)

// greeter greets every ConfigMap that has a name to greet, and complains about the others.
type greeter struct {
	client   client.Client
	recorder *events.Recorder
}

// greeted is the label of the ConfigMaps that the operator looks at.
const greeted = "example.com/greeted"

func (g *greeter) register(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(g)
}

//+kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch
//+kubebuilder:rbac:groups="",resources=events,verbs=create;patch
//+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// Reconcile records what it finds. With a trace in ctx, its Events name the trace.
func (g *greeter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var greeting corev1.ConfigMap
	if err := g.client.Get(ctx, request.NamespacedName, &greeting); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, ok := greeting.Labels[greeted]; !ok {
		return ctrl.Result{}, nil
	}
	recorder := g.recorder.WithContext(ctx)
	name, ok := greeting.Data["name"]
	if !ok {
		recorder.Eventf(&greeting, nil, corev1.EventTypeWarning, "NameMissing", "Greet", "set the key %q", "name")
		return ctrl.Result{}, nil
	}
	recorder.Eventf(&greeting, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello, %s", name)
	return ctrl.Result{}, nil
}
