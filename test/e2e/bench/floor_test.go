// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// floorRecorder is the least that counting occurrences takes, whoever does it: read who
// the objects are, look the key up under a lock, count, and remember when. It
// checks nothing, writes nothing, forgets nothing and keeps what it is given.
type floorRecorder struct {
	controller, instance string
	kinds                map[reflect.Type]schema.GroupKind // never written once made

	mu     sync.Mutex // guards series
	series map[floorKey]*floorSeries
}

type floorKey struct {
	eventType, action, reason string
	controller, instance      string
	regarding, related        floorObject
}

type floorObject struct {
	group, kind, namespace, name string
	uid                          types.UID
}

type floorSeries struct {
	count int64
	last  time.Time
}

func newFloor(c *contender, _ config) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	f := &floorRecorder{
		controller: controller, instance: controller + "-" + host,
		kinds: make(map[reflect.Type]schema.GroupKind), series: make(map[floorKey]*floorSeries),
	}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		f.kinds[reflect.PointerTo(t)] = gvk.GroupKind()
	}
	c.recorder = f
	return nil
}

// Eventf counts an occurrence.
func (f *floorRecorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, _ string, _ ...any) {
	key := floorKey{
		eventType: eventtype, action: action, reason: reason, controller: f.controller, instance: f.instance,
		regarding: f.object(regarding),
	}
	if related != nil {
		key.related = f.object(related)
	}
	now := time.Now()
	f.mu.Lock()
	s := f.series[key]
	if s == nil {
		s = &floorSeries{}
		f.series[key] = s
	}
	s.count++
	s.last = now
	f.mu.Unlock()
}

func (f *floorRecorder) object(obj runtime.Object) floorObject {
	m, err := meta.Accessor(obj)
	if err != nil {
		return floorObject{}
	}
	gk := obj.GetObjectKind().GroupVersionKind().GroupKind()
	if gk.Kind == "" { // as objects from an informer are
		gk = f.kinds[reflect.TypeOf(obj)]
	}
	return floorObject{
		group: gk.Group, kind: gk.Kind, namespace: m.GetNamespace(), name: m.GetName(), uid: m.GetUID(),
	}
}

// emptyCall is a recorder that does nothing. A call of it has only the costs of the call itself:
// the slice of args, and the memory of the arguments in it.
type emptyCall struct{}

func newEmpty(c *contender, _ config) error {
	c.recorder = emptyCall{}
	return nil
}

func (emptyCall) Eventf(_, _ runtime.Object, _, _, _, _ string, _ ...any) {}
