// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache/informertest"

	"github.com/eventseries/eventseries/eventview"
)

// countEvents tells what each notification of a manager's cache adds. A tracker is for one goroutine, and so is a handler.
func countEvents(ctx context.Context, c cache.Cache, tell func(eventview.Event, eventview.Delta)) error {
	informer, err := c.GetInformer(ctx, &corev1.Event{})
	if err != nil {
		return err
	}
	tracker := eventview.NewTracker(time.Now(), 0)
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, isInInitialList bool) {
			event := eventview.FromCoreV1(object.(*corev1.Event))
			note := tracker.Observe
			if isInInitialList {
				note = tracker.Seed
			}
			tell(event, note(&event))
		},
		UpdateFunc: func(_, object any) {
			event := eventview.FromCoreV1(object.(*corev1.Event))
			tell(event, tracker.Observe(&event))
		},
	})
	return err
}

// How often something happens, by the cache of a controller-runtime manager: mgr.GetCache(). The operator needs the RBAC to
// list and watch Events, and a cache.Options.ByObject for them saves memory: a selector, and a Transform that drops managedFields.
func Example_countEvents() {
	informers := &informertest.FakeInformers{} // in place of mgr.GetCache()
	err := countEvents(context.Background(), informers, func(e eventview.Event, d eventview.Delta) {
		fmt.Printf("%s: %+v\n", e.Reason, d)
	})
	if err != nil {
		log.Fatal(err)
	}
	fake, err := informers.FakeInformerFor(context.Background(), &corev1.Event{})
	if err != nil {
		log.Fatal(err)
	}
	event := &corev1.Event{Reason: "BackOff"}
	event.EventTime.Time = time.Now()
	fake.Add(event)
	newer := event.DeepCopy()
	newer.Series = &corev1.EventSeries{Count: 40}
	newer.Series.LastObservedTime.Time = time.Now()
	fake.Update(event, newer)
	// Output:
	// BackOff: {New:1 Earlier:0}
	// BackOff: {New:39 Earlier:0}
}
