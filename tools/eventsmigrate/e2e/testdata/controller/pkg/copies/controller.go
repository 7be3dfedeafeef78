// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package copies keeps copies of ConfigMaps in other namespaces.
package copies

import (
	"context"
	"errors"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"

	"example.com/podwatch/pkg/queue"
)

// CopyTo is the annotation with the namespaces, separated by commas.
const CopyTo = "podwatch.example.com/copy-to"

// copyOf is the label of a copy.
const copyOf = "podwatch.example.com/copy-of"

type reason string

const (
	copied   reason = "Copied"
	updated  reason = "Updated"
	conflict reason = "Conflict"
	failed   reason = "CopyFailed"
)

// Controller copies.
type Controller struct {
	client        kubernetes.Interface
	lister        corelisters.ConfigMapLister
	worker        *queue.Worker
	eventRecorder record.EventRecorderLogger
}

// New returns a Controller.
func New(
	client kubernetes.Interface, factory informers.SharedInformerFactory, r record.EventRecorderLogger,
) *Controller {
	informer := factory.Core().V1().ConfigMaps()
	c := &Controller{client: client, lister: informer.Lister(), eventRecorder: r}
	c.worker = queue.New("copies", c.sync)
	_, _ = informer.Informer().AddEventHandler(c.worker.Handler())
	return c
}

// Run works until stopCh is closed.
func (c *Controller) Run(stopCh <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go c.worker.Run(ctx)
	<-stopCh
}

func (c *Controller) sync(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	source, err := c.lister.ConfigMaps(namespace).Get(name)
	if err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	}
	targets := source.Annotations[CopyTo]
	if targets == "" {
		return nil
	}
	if strings.ContainsAny(targets, "*%") {
		c.eventRecorder.Event(source, corev1.EventTypeWarning, "InvalidTarget", "Neither * nor % is a namespace: "+targets)
		return nil
	}
	var errs []error
	for target := range strings.SplitSeq(targets, ",") {
		errs = append(errs, c.copyTo(ctx, source, target))
	}
	return errors.Join(errs...)
}

// copyTo brings one copy up to date.
func (c *Controller) copyTo(ctx context.Context, source *corev1.ConfigMap, namespace string) (err error) {
	defer func() {
		if err != nil {
			c.eventRecorder.Eventf(source, corev1.EventTypeWarning, string(failed),
				"Copy to namespace %s failed: %v", namespace, err)
		}
	}()
	maybe, err := c.client.CoreV1().ConfigMaps(namespace).Get(ctx, source.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		wanted := newCopy(source, namespace)
		created, err := c.client.CoreV1().ConfigMaps(namespace).Create(ctx, wanted, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		c.eventRecorder.Eventf(source, corev1.EventTypeNormal, string(copied), "Copied to %s/%s",
			created.Namespace, created.Name)
		c.emit(created, corev1.EventTypeNormal, copied, "Copied from namespace "+source.Namespace)
		return nil
	case err != nil:
		return err
	case maybe.Labels[copyOf] != source.Namespace:
		c.emit(maybe, corev1.EventTypeWarning, conflict, "Somebody wants a copy of this name here")
		return nil
	case maps.Equal(maybe.Data, source.Data):
		return nil
	}
	maybe = maybe.DeepCopy()
	maybe.Data = source.Data
	if _, err := c.client.CoreV1().ConfigMaps(namespace).Update(ctx, maybe, metav1.UpdateOptions{}); err != nil {
		return err
	}
	c.emit(maybe, corev1.EventTypeNormal, updated, "100% of the keys are as in the source")
	return nil
}

// emit records what needs no format.
func (c *Controller) emit(object *corev1.ConfigMap, eventtype string, why reason, message string) {
	c.eventRecorder.Event(object, eventtype, string(why), message)
}

func newCopy(source *corev1.ConfigMap, namespace string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: source.Name, Labels: map[string]string{copyOf: source.Namespace},
		},
		Data: source.Data,
	}
}
