// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"context"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

const (
	// relistPeriod is how often the runtime is listed when nothing else tells
	// about changes; it bounds how late a kubelet notices a dead container.
	relistPeriod = time.Second
	// channelSize is how many events may wait for the sync loop.
	channelSize = 1000
)

// Runtime is what a [Generic] needs of a container runtime.
type Runtime interface {
	// Pods lists the pods that have containers. The result belongs to the caller.
	Pods(ctx context.Context) ([]*cri.Pod, error)
	// PodStatus inspects one pod.
	PodStatus(ctx context.Context, uid types.UID) (*cri.PodStatus, error)
}

// Generic finds changes by listing the runtime on a period. Make one with
// [NewGeneric]; all its methods are safe for concurrent use.
type Generic struct {
	runtime Runtime
	cache   *Cache
	events  chan Event
	orders  chan func(context.Context) // carried out by the goroutine in Run
	dropped atomic.Int64

	// Owned by the goroutine in Run.
	records   map[types.UID]*cri.Pod // as last reported
	reinspect map[types.UID]bool
	period    time.Duration
	tried     time.Time // when the last listing was attempted
	listed    time.Time // when the last successful one was
}

// NewGeneric returns a generator that lists the runtime every second and keeps
// the cache up to date. Nothing happens before Run.
func NewGeneric(runtime Runtime, cache *Cache) *Generic {
	return &Generic{
		runtime:   runtime,
		cache:     cache,
		events:    make(chan Event, channelSize),
		orders:    make(chan func(context.Context)),
		records:   map[types.UID]*cri.Pod{},
		reinspect: map[types.UID]bool{},
		period:    relistPeriod,
	}
}

// Events is where the events come out. It is never closed. An event that does
// not fit is counted in Dropped, and a PodSync follows for its pod.
func (g *Generic) Events() <-chan Event { return g.events }

// Dropped is how many events did not fit into the channel.
func (g *Generic) Dropped() int64 { return g.dropped.Load() }

// Run lists the runtime at once and then on the period, until ctx ends. It must
// be called once.
func (g *Generic) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			g.relist(ctx)
		case order := <-g.orders:
			order(ctx)
		}
		timer.Reset(time.Until(g.tried.Add(g.wait())))
	}
}

// order has Run carry something out, in the order of the calls. It returns when
// Run took it, or when ctx ended.
func (g *Generic) order(ctx context.Context, do func(context.Context)) {
	select {
	case g.orders <- do:
	case <-ctx.Done():
	}
}

// wait is how long after the last listing the next one is due.
func (g *Generic) wait() time.Duration {
	if len(g.reinspect) > 0 {
		return min(g.period, relistPeriod)
	}
	return g.period
}

// relist compares all pods of the runtime with the records.
func (g *Generic) relist(ctx context.Context) {
	at := time.Now()
	g.tried = at
	pods, err := g.runtime.Pods(ctx)
	if err != nil {
		klog.FromContext(ctx).Error(err, "Could not list the pods of the runtime, will list again")
		return
	}
	g.listed = at
	current := make(map[types.UID]bool, len(pods))
	for _, pod := range pods {
		current[pod.UID] = true
		g.reconcile(ctx, pod.UID, pod)
	}
	for uid := range g.records {
		if !current[uid] {
			g.reconcile(ctx, uid, nil)
		}
	}
	// Not before: this vouches for every pod.
	g.cache.UpdateTime(at)
}

// reconcile reports what changed about one pod, once its status is known; nil
// is a pod that is gone.
func (g *Generic) reconcile(ctx context.Context, uid types.UID, pod *cri.Pod) {
	changes := diff(uid, g.records[uid], pod)
	if len(changes) == 0 && !g.reinspect[uid] {
		return
	}
	if pod == nil {
		g.settle(uid, nil, changes)
		return
	}
	status, err := g.runtime.PodStatus(ctx, uid)
	g.cache.Set(uid, status, err, pod.At)
	if err != nil {
		// The record stays as it is, so the next listing finds the change again.
		klog.FromContext(ctx).V(2).Info("Could not inspect a pod, will inspect it again", "podUID", uid, "err", err)
		g.reinspect[uid] = true
		return
	}
	g.settle(uid, pod, changes)
}

// observe takes in what the stream says about one pod. Something older than
// what was listed is no news.
func (g *Generic) observe(event cri.Event) {
	pod := event.Pod
	if pod.At.Before(g.listed) {
		return
	}
	if record := g.records[pod.UID]; record != nil && pod.At.Before(record.At) {
		return
	}
	changes := diff(pod.UID, g.records[pod.UID], pod)
	if len(pod.Containers) == 0 {
		g.settle(pod.UID, nil, changes)
		return
	}
	g.cache.Set(pod.UID, event.Status, nil, pod.At)
	if len(changes) > 0 || g.reinspect[pod.UID] {
		g.settle(pod.UID, pod, changes)
	}
}

// settle makes pod what was last reported, and reports it. The cache already
// knows it, except that it is gone.
func (g *Generic) settle(uid types.UID, pod *cri.Pod, changes []Event) {
	if pod == nil {
		delete(g.records, uid)
		g.cache.Delete(uid)
	} else {
		g.records[uid] = pod
	}
	delete(g.reinspect, uid)
	if len(changes) == 0 {
		changes = []Event{{UID: uid, Type: PodSync}}
	}
	for _, event := range changes {
		select {
		case g.events <- event:
		default:
			g.dropped.Add(1)
			g.reinspect[uid] = pod != nil
		}
	}
}
