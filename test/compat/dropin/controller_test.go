// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"

	"k8s.io/client-go/tools/record"
)

// podController reconciles pods.
type podController struct {
	broadcaster record.EventBroadcaster
	recorder    record.EventRecorderLogger
}

func newController(ctx context.Context) *podController {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	source := corev1.EventSource{Component: "pod-controller", Host: "node-1"}
	return &podController{broadcaster: broadcaster, recorder: broadcaster.NewRecorder(scheme.Scheme, source)}
}

// startController begins to record, reconciles once, and returns how to end.
func startController(ctx context.Context, client kubernetes.Interface) (shutdown func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	c := newController(ctx)
	c.broadcaster.StartStructuredLogging(3)
	c.broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	c.reconcile(klog.FromContext(ctx))
	return func() { c.broadcaster.Shutdown(); cancel() }, nil
}

func (c *podController) reconcile(logger klog.Logger) {
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion = "default", "web", "web", "7"
	container := &corev1.ObjectReference{
		APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "web",
		FieldPath: "spec.containers{app}",
	}
	c.recorder.Event(pod, corev1.EventTypeNormal, "Created", "100% of the containers")
	for range 3 {
		c.recorder.WithLogger(logger).Eventf(container, corev1.EventTypeWarning, "BackOff",
			"back-off %d of %s", 5, "app")
	}
	c.recorder.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Scaled",
		"to %d replicas", 3)
}
