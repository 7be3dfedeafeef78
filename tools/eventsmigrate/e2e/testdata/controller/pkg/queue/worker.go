// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package queue works on keys until it is told to stop.
package queue

import (
	"context"

	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Worker has keys and what is done with them.
type Worker struct {
	keys workqueue.TypedRateLimitingInterface[string]
	sync func(ctx context.Context, key string) error
}

// New returns a Worker that calls sync.
func New(name string, sync func(ctx context.Context, key string) error) *Worker {
	limiter := workqueue.DefaultTypedControllerRateLimiter[string]()
	config := workqueue.TypedRateLimitingQueueConfig[string]{Name: name}
	return &Worker{keys: workqueue.NewTypedRateLimitingQueueWithConfig(limiter, config), sync: sync}
}

// Handler queues the key of every object that informers tell of.
func (w *Worker) Handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    w.add,
		UpdateFunc: func(_, object any) { w.add(object) },
		DeleteFunc: w.add,
	}
}

func (w *Worker) add(object any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		runtime.HandleError(err)
		return
	}
	w.keys.Add(key)
}

// Run works until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	defer runtime.HandleCrash()
	go func() {
		<-ctx.Done()
		w.keys.ShutDown()
	}()
	for w.next(ctx) {
	}
}

func (w *Worker) next(ctx context.Context) bool {
	key, shutdown := w.keys.Get()
	if shutdown {
		return false
	}
	defer w.keys.Done(key)
	if err := w.sync(ctx, key); err != nil {
		runtime.HandleErrorWithContext(ctx, err, "sync failed", "key", key)
		w.keys.AddRateLimited(key)
		return true
	}
	w.keys.Forget(key)
	return true
}
