// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package uid

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	recorder events.EventRecorder
	old      record.EventRecorder
	pods     typedcorev1.PodInterface
}

func (r *reconciler) before(ctx context.Context, owner *corev1.Node) error {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	pod.Namespace = "default"
	klog.Infof("creating %v", klog.KObj(pod))
	r.recorder.Eventf(pod, owner, "Normal", "Creating", "Create", "%s", pod.Name)
	r.recorder.Eventf(owner, pod, "Normal", "Creating", "Create", "%s", pod.Name)
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	r.recorder.Eventf(pod, nil, "Normal", "Created", "Create", "done")
	return nil
}

func (r *reconciler) failed(ctx context.Context, check func(error) bool) {
	pod := corev1.Pod{}
	if err := r.Create(ctx, &pod); err != nil {
		r.old.Eventf(&pod, "Warning", "FailedCreate", "%v", err)
	}
	other := &corev1.Pod{}
	err := r.Create(ctx, other)
	if err != nil && check(err) {
		r.recorder.Eventf(other, nil, "Warning", "FailedCreate", "Create", "%v", err)
	} else {
		r.recorder.Eventf(other, nil, "Normal", "Created", "Create", "done")
	}
	if err == nil {
		r.recorder.Eventf(other, nil, "Normal", "Created", "Create", "done")
	}
}

// A typed client returns the object; what it was given stays without a UID.
func (r *reconciler) typed(ctx context.Context) {
	pod := &corev1.Pod{}
	created, err := r.pods.Create(ctx, pod, metav1.CreateOptions{})
	if err != nil {
		return
	}
	r.recorder.Eventf(created, nil, "Normal", "Created", "Create", "done")
	r.recorder.Eventf(pod, nil, "Normal", "Created", "Create", "done")
}

// In all of these the object may have a UID.
func (r *reconciler) unknown(ctx context.Context, meta metav1.ObjectMeta, fill func(*corev1.Pod), names []string) {
	a := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "1"}}
	r.recorder.Eventf(a, nil, "Normal", "Seen", "See", "done")
	b := &corev1.Pod{ObjectMeta: meta}
	r.recorder.Eventf(b, nil, "Normal", "Seen", "See", "done")
	c := &corev1.Pod{}
	fill(c)
	r.recorder.Eventf(c, nil, "Normal", "Seen", "See", "done")
	d := &corev1.Pod{}
	d.UID = "1"
	r.recorder.Eventf(d, nil, "Normal", "Seen", "See", "done")
	e := &corev1.Pod{}
	if err := r.Get(ctx, client.ObjectKey{Name: "e"}, e); err != nil {
		return
	}
	r.recorder.Eventf(e, nil, "Normal", "Seen", "See", "done")
	f := &corev1.Pod{}
	f, err := r.pods.Create(ctx, f, metav1.CreateOptions{})
	_ = err
	r.recorder.Eventf(f, nil, "Normal", "Seen", "See", "done")
	var g *corev1.Pod
	if len(names) > 0 {
		g = &corev1.Pod{}
	}
	r.recorder.Eventf(g, nil, "Normal", "Seen", "See", "done")
	h := &corev1.Pod{}
	for range names {
		r.recorder.Eventf(h, nil, "Normal", "Seen", "See", "done")
		fill(h)
	}
	i := &corev1.Pod{}
	defer func() { r.recorder.Eventf(i, nil, "Normal", "Seen", "See", "done") }()
	fill(i)
	j := &corev1.Pod{}
	if err := r.Create(ctx, j); err == nil {
		r.recorder.Eventf(j, nil, "Normal", "Created", "Create", "done")
	}
	reference := &corev1.ObjectReference{Kind: "Pod", Name: "web"} // whoever writes one knows what it refers to
	r.recorder.Eventf(reference, nil, "Normal", "Seen", "See", "done")
}
