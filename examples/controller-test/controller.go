// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package replicas is a small controller, here for its tests: they check the Events it records and that it leaves no
// goroutine behind. docs/testing.md walks through them.
package replicas

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// Annotation says how many replicas a Deployment shall have.
const Annotation = "example.com/replicas"

// Controller scales Deployments to what their annotation says.
type Controller struct {
	Client   kubernetes.Interface
	Recorder clientevents.EventRecorder
}

// Run reconciles every Deployment once per period, until ctx ends.
func (c *Controller) Run(ctx context.Context, period time.Duration) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		if err := c.ReconcileAll(ctx); err != nil {
			klog.FromContext(ctx).Error(err, "Cannot reconcile")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// ReconcileAll reconciles every Deployment.
func (c *Controller) ReconcileAll(ctx context.Context) error {
	all, err := c.Client.AppsV1().Deployments("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("cannot list Deployments: %w", err)
	}
	var errs []error
	for i := range all.Items {
		errs = append(errs, c.Reconcile(ctx, &all.Items[i]))
	}
	return errors.Join(errs...)
}

// Reconcile scales one Deployment, unless an autoscaler does.
func (c *Controller) Reconcile(ctx context.Context, deployment *appsv1.Deployment) error {
	value, found := deployment.Annotations[Annotation]
	if !found {
		return nil
	}
	want, err := strconv.ParseInt(value, 10, 32)
	if err != nil || want < 0 {
		c.Recorder.Eventf(deployment, nil, corev1.EventTypeWarning, "InvalidReplicas", "Scale",
			"%s is %q, want a number", Annotation, value)
		return nil
	}
	have := int64(1)
	if deployment.Spec.Replicas != nil {
		have = int64(*deployment.Spec.Replicas)
	}
	if have == want {
		return nil
	}
	autoscaler, err := c.autoscaler(ctx, deployment)
	if err != nil {
		return err
	}
	if autoscaler != nil {
		c.Recorder.Eventf(deployment, autoscaler, corev1.EventTypeNormal, "Autoscaled", "Scale",
			"%s is left to %s", Annotation, autoscaler.Name)
		return nil
	}
	return c.scale(ctx, deployment, have, want)
}

// autoscaler returns the HorizontalPodAutoscaler of a Deployment, nil if it has none.
func (c *Controller) autoscaler(
	ctx context.Context, deployment *appsv1.Deployment,
) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	all, err := c.Client.AutoscalingV2().HorizontalPodAutoscalers(deployment.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("cannot list autoscalers: %w", err)
	}
	for i, autoscaler := range all.Items {
		if ref := autoscaler.Spec.ScaleTargetRef; ref.Kind == "Deployment" && ref.Name == deployment.Name {
			return &all.Items[i], nil
		}
	}
	return nil, nil
}

func (c *Controller) scale(ctx context.Context, deployment *appsv1.Deployment, have, want int64) error {
	scaled, replicas := deployment.DeepCopy(), int32(want)
	scaled.Spec.Replicas = &replicas
	_, err := c.Client.AppsV1().Deployments(deployment.Namespace).Update(ctx, scaled, metav1.UpdateOptions{})
	if err != nil {
		c.Recorder.Eventf(deployment, nil, corev1.EventTypeWarning, "ScaleFailed", "Scale",
			"cannot scale to %d replicas: %v", want, err)
		return err
	}
	c.Recorder.Eventf(deployment, nil, corev1.EventTypeNormal, "Scaled", "Scale",
		"from %d to %d replicas", have, want)
	return nil
}
