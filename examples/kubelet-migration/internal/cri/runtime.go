// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// ErrStatus says that a pod exists and could not be inspected.
var ErrStatus = errors.New("cri: the status of the pod cannot be read")

// Runtime is the container runtime of one node. The zero value is not usable,
// make one with [New].
type Runtime struct {
	images map[string]*Image // never written after New

	mu         sync.Mutex // guards everything below; never held across a sleep
	pulls      map[string]int
	pulled     map[string]bool
	pods       map[types.UID]*pod
	unreadable map[types.UID]bool
	streams    map[*stream]struct{}
	cut        bool
}

// pod is the runtime's own record of a pod.
type pod struct {
	uid        types.UID
	name       string
	containers []*container // oldest first
	runs       map[string]int
}

// New returns a runtime whose registry has the given images. It starts no
// goroutine of its own; containers end on timers.
func New(images ...Image) *Runtime {
	r := &Runtime{
		images:     map[string]*Image{},
		pulls:      map[string]int{},
		pulled:     map[string]bool{},
		pods:       map[types.UID]*pod{},
		unreadable: map[types.UID]bool{},
		streams:    map[*stream]struct{}{},
	}
	for i := range images {
		r.images[images[i].Name] = &images[i]
	}
	return r
}

// Close forgets every pod without an event and ends the streams.
func (r *Runtime) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.pods)
	r.endStreams()
}

// RunPod makes a pod without containers. A pod that exists stays as it is.
func (r *Runtime) RunPod(uid types.UID, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pods[uid] == nil {
		r.pods[uid] = &pod{uid: uid, name: name, runs: map[string]int{}}
	}
}

// RemovePod forgets a pod and its containers, running or not.
func (r *Runtime) RemovePod(uid types.UID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pods[uid]
	if p == nil {
		return
	}
	p.containers = nil
	delete(r.pods, uid)
	delete(r.unreadable, uid)
	r.publish(p, ContainerDeleted)
}

// Pods lists the pods that have containers, sorted by UID.
func (r *Runtime) Pods(context.Context) ([]*Pod, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	var out []*Pod
	for _, p := range r.pods {
		if len(p.containers) > 0 {
			out = append(out, p.listing(now))
		}
	}
	slices.SortFunc(out, func(a, b *Pod) int { return strings.Compare(string(a.UID), string(b.UID)) })
	return out, nil
}

// PodStatus inspects a pod. It fails with an error that wraps [ErrStatus] if
// the pod is unreadable; a pod that the runtime does not know has no containers.
func (r *Runtime) PodStatus(_ context.Context, uid types.UID) (*PodStatus, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unreadable[uid] {
		return nil, fmt.Errorf("%w: %q", ErrStatus, uid)
	}
	p := r.pods[uid]
	if p == nil {
		return &PodStatus{UID: uid, At: time.Now()}, nil
	}
	return p.status(time.Now()), nil
}

// BreakStatus makes inspections of a pod fail, or work again.
func (r *Runtime) BreakStatus(uid types.UID, broken bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unreadable[uid] = broken
}

func (p *pod) listing(now time.Time) *Pod {
	out := &Pod{UID: p.uid, Name: p.name, At: now}
	for _, c := range p.containers {
		out.Containers = append(out.Containers, c.status.Container)
	}
	return out
}

func (p *pod) status(now time.Time) *PodStatus {
	out := &PodStatus{UID: p.uid, At: now}
	for _, c := range p.containers {
		out.Containers = append(out.Containers, c.status)
	}
	return out
}
