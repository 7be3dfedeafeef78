// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// The numbers of kubelet, but for the retries: kubelet opens a broken stream again without a pause, and never after the
// fallback.
const (
	relistPeriod        = time.Second     // generic, and evented after the fallback
	eventedRelistPeriod = 5 * time.Minute // while the stream works
	maxStreamFailures   = 5               // in a row, then the evented PLEG falls back
	streamRetry         = time.Second
	fallbackRetry       = 30 * time.Second
	confirmPeriod       = 5 * time.Second
)

// EventType is what happened to a container of a pod.
type EventType string

// The types of an [Event].
const (
	ContainerStarted EventType = "ContainerStarted"
	ContainerDied    EventType = "ContainerDied"
	ContainerRemoved EventType = "ContainerRemoved"
	ContainerChanged EventType = "ContainerChanged" // neither of the above
	PodSync          EventType = "PodSync"          // the pod can be inspected again, and has not changed
)

var eventTypes = map[State]EventType{Created: ContainerChanged, Running: ContainerStarted, Exited: ContainerDied}

// Event says that something about a pod changed.
type Event struct {
	UID  types.UID
	Type EventType
}

// PLEG generates pod lifecycle events. The status of a pod is in the cache before its event is sent, and a change is
// reported once it could be inspected. One goroutine, the one in Run, owns all that was reported.
type PLEG struct {
	runtime   *Runtime
	cache     *Cache
	evented   bool
	events    chan Event
	fallbacks atomic.Int64
	returns   atomic.Int64

	// Owned by the goroutine in Run.
	reported    map[types.UID]*PodStatus
	reinspect   map[types.UID]bool // could not be inspected
	listed      time.Time
	stream      <-chan *PodStatus // nil while it is not open
	failures    int               // of the stream, in a row
	checkStream time.Time         // when to confirm an open stream, or to open it again
}

// NewGeneric returns a PLEG that lists the runtime each second.
func NewGeneric(runtime *Runtime) *PLEG {
	return &PLEG{
		runtime: runtime, cache: NewCache(), events: make(chan Event),
		reported: map[types.UID]*PodStatus{}, reinspect: map[types.UID]bool{},
	}
}

// NewEvented returns a PLEG that follows the event stream of the runtime, and lists the runtime every five minutes.
// After five failures of the stream it falls back to listing each second, until the stream delivers again.
func NewEvented(runtime *Runtime) *PLEG {
	p := NewGeneric(runtime)
	p.evented = true
	return p
}

// Events is where the events come out. It is never closed.
func (p *PLEG) Events() <-chan Event { return p.events }

// Fallbacks is how often the stream was given up for listing each second.
func (p *PLEG) Fallbacks() int64 { return p.fallbacks.Load() }

// Returns is how often the stream delivered again after a fallback.
func (p *PLEG) Returns() int64 { return p.returns.Load() }

// Run generates events until ctx ends. It must be called once.
func (p *PLEG) Run(ctx context.Context) {
	relist, check := time.NewTimer(0), time.NewTimer(0)
	defer relist.Stop()
	defer check.Stop()
	if !p.evented {
		check.Stop()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-relist.C:
			p.relist(ctx)
		case status, open := <-p.stream: // blocks while the stream is nil
			if open {
				p.streamDelivered(ctx, status)
			} else {
				p.streamFailed(ctx, errors.New("it ended"))
			}
		case <-check.C:
			p.confirmOrOpenStream(ctx)
		}
		relist.Reset(time.Until(p.listed.Add(p.period())))
		if p.evented {
			check.Reset(time.Until(p.checkStream))
		}
	}
}

// period is the time between two listings.
func (p *PLEG) period() time.Duration {
	if p.evented && p.failures < maxStreamFailures && len(p.reinspect) == 0 {
		return eventedRelistPeriod
	}
	return relistPeriod
}

// confirmOrOpenStream opens the stream if it is not open. If it is, and has nothing to tell, then nothing has changed.
func (p *PLEG) confirmOrOpenStream(ctx context.Context) {
	p.checkStream = time.Now().Add(confirmPeriod)
	if p.stream != nil {
		if len(p.stream) == 0 {
			p.cache.UpdateTime(time.Now())
		}
		return
	}
	stream, err := p.runtime.Watch()
	if err != nil {
		p.streamFailed(ctx, err)
		return
	}
	p.stream = stream
	p.relist(ctx) // for what happened before the stream was open
}

func (p *PLEG) streamFailed(ctx context.Context, err error) {
	p.stream = nil
	p.failures++
	klog.FromContext(ctx).V(1).Info("The event stream of the runtime failed", "failures", p.failures, "err", err)
	if p.failures == maxStreamFailures {
		p.fallbacks.Add(1)
	}
	retry := streamRetry
	if p.failures >= maxStreamFailures {
		retry = fallbackRetry
	}
	p.checkStream = time.Now().Add(retry)
	p.relist(ctx)
}

// streamDelivered takes in the status of a pod, unless a newer one is known. It ends a fallback; an open stream alone
// does not, because it may break at once.
func (p *PLEG) streamDelivered(ctx context.Context, status *PodStatus) {
	if p.failures >= maxStreamFailures {
		p.returns.Add(1)
		klog.FromContext(ctx).V(1).Info("The event stream of the runtime delivers again")
	}
	p.failures = 0
	reported := p.reported[status.UID]
	if status.At.Before(p.listed) || reported != nil && status.At.Before(reported.At) {
		return
	}
	if len(status.Containers) > 0 {
		p.cache.Set(status.UID, status, nil, status.At)
	}
	if len(diff(reported, status)) > 0 || p.reinspect[status.UID] {
		p.report(ctx, status)
	}
}

// relist compares all pods of the runtime with what was reported.
func (p *PLEG) relist(ctx context.Context) {
	pods, at := p.runtime.Pods()
	p.listed = at
	current := map[types.UID]bool{}
	for _, pod := range pods {
		current[pod.UID] = true
		if len(diff(p.reported[pod.UID], pod)) > 0 || p.reinspect[pod.UID] {
			p.inspect(ctx, pod.UID)
		}
	}
	for uid := range p.reported {
		if !current[uid] {
			p.report(ctx, &PodStatus{UID: uid})
		}
	}
	p.cache.UpdateTime(at) // last, because it is said of every pod
}

// inspect reports what changed about a pod if it can be inspected. If not, the next listing finds that again.
func (p *PLEG) inspect(ctx context.Context, uid types.UID) {
	status, err := p.runtime.PodStatus(uid)
	p.cache.Set(uid, status, err, p.listed)
	if err != nil {
		klog.FromContext(ctx).V(2).Info("Could not inspect a pod, will inspect it again", "podUID", uid, "err", err)
		p.reinspect[uid] = true
		return
	}
	p.report(ctx, status)
}

// report sends what happened to a pod since it was last reported.
func (p *PLEG) report(ctx context.Context, status *PodStatus) {
	changes := diff(p.reported[status.UID], status)
	p.reported[status.UID] = status
	if len(status.Containers) == 0 {
		delete(p.reported, status.UID)
		p.cache.Delete(status.UID)
	}
	delete(p.reinspect, status.UID)
	if len(changes) == 0 {
		changes = []EventType{PodSync}
	}
	for _, change := range changes {
		select {
		case p.events <- Event{status.UID, change}:
		case <-ctx.Done():
			return
		}
	}
}

// diff returns what happened to the containers of a pod since it was reported, which is nil if it never was.
func diff(reported, current *PodStatus) (changes []EventType) {
	if reported == nil {
		reported = &PodStatus{}
	}
	for _, c := range reported.Containers {
		if current.find(c.ID) != nil {
			continue
		}
		if c.State != Exited { // its end was not seen
			changes = append(changes, ContainerDied)
		}
		changes = append(changes, ContainerRemoved)
	}
	for _, c := range current.Containers {
		if before := reported.find(c.ID); before == nil || before.State != c.State {
			changes = append(changes, eventTypes[c.State])
		}
	}
	return changes
}
