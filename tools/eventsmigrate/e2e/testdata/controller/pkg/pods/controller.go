// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package pods ends pods that are too old, and tells of those that restart too often.
package pods

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/podwatch/pkg/queue"
)

const (
	controllerAgentName = "podwatch-pods"

	// MaxAge is the annotation with the age at which a pod is ended.
	MaxAge = "podwatch.example.com/max-age"
	// MaxRestarts is how often a container may restart.
	MaxRestarts = 5
)

const (
	// Expired is the reason of the Event about a pod that is ended.
	Expired = "Expired"
	// messageExpired is its message.
	messageExpired = "Pod is older than %s and was deleted"
)

// Controller looks after pods.
type Controller struct {
	client  kubernetes.Interface
	lister  corelisters.PodLister
	synced  cache.InformerSynced
	worker  *queue.Worker
	metrics *counts
	now     func() time.Time

	broadcaster record.EventBroadcaster
	recorder    record.EventRecorder
}

type counts struct{ deleted, warned int }

// NewController returns a Controller that writes its Events through eventClient.
func NewController(
	ctx context.Context, client, eventClient kubernetes.Interface, informer coreinformers.PodInformer,
) *Controller {
	logger := klog.FromContext(ctx)
	logger.V(4).Info("Creating event broadcaster")

	eventBroadcaster := record.NewBroadcaster(record.WithContext(ctx))
	eventBroadcaster.StartStructuredLogging(0)
	eventBroadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: eventClient.CoreV1().Events("")})
	recorder := eventBroadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controllerAgentName})

	c := &Controller{
		client:      client,
		lister:      informer.Lister(),
		synced:      informer.Informer().HasSynced,
		broadcaster: eventBroadcaster,
		recorder:    recorder,
		metrics:     &counts{},
		now:         time.Now,
	}
	c.worker = queue.New(controllerAgentName, c.syncPod)
	if _, err := informer.Informer().AddEventHandler(c.worker.Handler()); err != nil {
		logger.Error(err, "no events of pods")
	}
	return c
}

// Run works until ctx ends.
func (c *Controller) Run(ctx context.Context, workers int) error {
	defer c.broadcaster.Shutdown()
	if !cache.WaitForNamedCacheSync(controllerAgentName, ctx.Done(), c.synced) {
		return fmt.Errorf("failed to wait for caches to sync")
	}
	for range workers {
		go c.worker.Run(ctx)
	}
	<-ctx.Done()
	return nil
}

func (c *Controller) syncPod(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	pod, err := c.lister.Pods(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	c.warnRestarts(pod)
	return c.expire(ctx, pod)
}

// expire deletes a pod that is older than it says it may be.
func (c *Controller) expire(ctx context.Context, pod *corev1.Pod) error {
	value, found := pod.Annotations[MaxAge]
	if !found || pod.DeletionTimestamp != nil {
		return nil
	}
	maxAge, err := time.ParseDuration(value)
	if err != nil {
		// The user has to change it: no retry.
		c.recorder.Event(pod, corev1.EventTypeWarning, "InvalidMaxAge", err.Error())
		return nil
	}
	if c.now().Sub(pod.CreationTimestamp.Time) < maxAge {
		return nil
	}
	options := metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(pod.UID))}
	if err := c.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, options); err != nil {
		c.recorder.Eventf(pod, corev1.EventTypeWarning, "ExpireFailed", "Failed to delete pod: %v", err)
		return err
	}
	c.metrics.deleted++
	c.recorder.Eventf(pod, corev1.EventTypeNormal, Expired, messageExpired, maxAge)
	if node := nodeOf(pod); node != nil {
		c.recorder.Eventf(node, corev1.EventTypeNormal, Expired, "Pod %s/%s was deleted", pod.Namespace, pod.Name)
	}
	return nil
}

// warnRestarts tells of the containers that restart too often.
func (c *Controller) warnRestarts(pod *corev1.Pod) {
	for _, status := range pod.Status.ContainerStatuses {
		if status.RestartCount < MaxRestarts {
			continue
		}
		c.metrics.warned++
		ref := &corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			FieldPath: fmt.Sprintf("spec.containers{%s}", status.Name),
		}
		if last := status.LastTerminationState.Terminated; last != nil {
			c.recorder.AnnotatedEventf(ref, map[string]string{"podwatch.example.com/exit-code": fmt.Sprint(last.ExitCode)},
				corev1.EventTypeWarning, "Restarting", "Container %s was restarted %d times, the last time after %s",
				status.Name, status.RestartCount, last.Reason)
			continue
		}
		c.recorder.Eventf(ref, corev1.EventTypeWarning, "Restarting",
			"Container "+status.Name+" was restarted %d times", status.RestartCount)
	}
}

// nodeOf refers to the pod's node, if it has one.
func nodeOf(pod *corev1.Pod) *corev1.ObjectReference {
	if pod.Spec.NodeName == "" {
		return nil
	}
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: pod.Spec.NodeName}
}
