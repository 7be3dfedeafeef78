// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	mcbuilder "sigs.k8s.io/multicluster-runtime/pkg/builder"
	mcmanager "sigs.k8s.io/multicluster-runtime/pkg/manager"
	mcreconcile "sigs.k8s.io/multicluster-runtime/pkg/reconcile"
	clustersprovider "sigs.k8s.io/multicluster-runtime/providers/clusters"

	"github.com/eventseries/eventseries/clusters"
	mcevents "github.com/eventseries/eventseries/contrib/multicluster"
)

// reconciler records an Event in the cluster of each request.
type reconciler struct {
	mgr      mcmanager.Manager
	recorder *clusters.Recorder
}

func (r *reconciler) Reconcile(ctx context.Context, req mcreconcile.Request) (ctrl.Result, error) {
	cluster, err := r.mgr.GetCluster(ctx, req.ClusterName)
	if err != nil {
		return ctrl.Result{}, err
	}
	var pod corev1.Pod
	if err := cluster.GetClient().Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	recorder := r.recorder.For(req.ClusterName.String())
	recorder.Eventf(&pod, nil, corev1.EventTypeNormal, "Seen", "Look", "%d containers", len(pod.Spec.Containers))
	return ctrl.Result{}, nil
}

func main() {
	// In place of clustersprovider, use the provider of your fleet.
	mgr, err := mcmanager.New(ctrl.GetConfigOrDie(), clustersprovider.New(), ctrl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	set, err := mcevents.ForManager(mgr) // the one line, before the manager is started
	if err != nil {
		log.Fatal(err)
	}
	r := &reconciler{mgr, set.Recorder("example.com/pods")}
	if err := mcbuilder.ControllerManagedBy(mgr).Named("pods").For(&corev1.Pod{}).Complete(r); err != nil {
		log.Fatal(err)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Fatal(err)
	}
}
