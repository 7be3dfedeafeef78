// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"k8s.io/client-go/tools/record"
)

// reconciler says what it did to each pod that it is told of.
type reconciler struct {
	Recorder   record.EventRecorder
	Reconciled func()
}

// Reconcile records a success, a repeated warning, and an Event with an annotation.
func (r *reconciler) Reconcile(_ context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Reconciled()
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name, pod.UID = req.Namespace, req.Name, "web"
	r.Recorder.Event(pod, corev1.EventTypeNormal, "Reconciled", "all is well")
	for range 2 {
		r.Recorder.Eventf(pod, corev1.EventTypeWarning, "Unready", "%d of %d containers are not ready", 1, 3)
	}
	r.Recorder.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Scaled",
		"to %d replicas", 3)
	return ctrl.Result{}, nil
}

// startManager runs a manager until one pod has been reconciled, and returns how to end its recording.
func startManager(ctx context.Context, config *rest.Config) (shutdown func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	broadcaster := record.NewBroadcaster()
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:           scheme.Scheme,
		Logger:           klog.FromContext(ctx),
		Metrics:          metricsserver.Options{BindAddress: "0"},
		EventBroadcaster: broadcaster,
	})
	if err != nil {
		return nil, err
	}
	pods := make(chan event.GenericEvent, 1)
	r := &reconciler{Recorder: mgr.GetEventRecorderFor("pod-controller"), Reconciled: cancel}
	if err := setup(mgr, r, pods); err != nil {
		return nil, err
	}
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name = "default", "web"
	pods <- event.GenericEvent{Object: pod}
	if err := mgr.Start(ctx); err != nil {
		return nil, err
	}
	return broadcaster.Shutdown, nil
}

func setup(mgr ctrl.Manager, r *reconciler, pods chan event.GenericEvent) error {
	again := true // a name may be taken: this process may have two managers
	return ctrl.NewControllerManagedBy(mgr).
		Named("pod").
		WatchesRawSource(source.Channel(pods, &handler.EnqueueRequestForObject{})).
		WithOptions(controller.Options{SkipNameValidation: &again}).
		Complete(r)
}
