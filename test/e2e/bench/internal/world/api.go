// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/store"
)

const (
	latency = 10 * time.Millisecond // of a request, until it is applied
	ttl     = time.Hour             // of an Event that is not written, as kube-apiserver's
)

// API is an API server, and the accounts of all components, under one lock. It is safe for concurrent use.
type API struct {
	// Applied, if it is set before the first request, is called with each request that the server has applied, in their
	// order. It must not call the API.
	Applied func(Request)

	began     time.Time
	forgetful bool

	mu         sync.Mutex
	store      *store.Store
	components []*Component
	// counted has the count of each Event, also of one that has expired: if its component creates it anew, its
	// occurrences must not be counted twice.
	counted   map[types.NamespacedName]int64
	seconds   []int // requests, those that were refused too
	forgotten int

	delays, doublings Delays
}

// NewAPI returns a server that was started now.
func NewAPI() *API {
	a := &API{began: time.Now(), store: store.New(), counted: map[types.NamespacedName]int64{}}
	a.store.SetTTL(ttl)
	return a
}

// NewForgetfulAPI returns a server that answers and keeps nothing: what is in memory then is the components' own.
func NewForgetfulAPI() *API { return &API{began: time.Now(), forgetful: true} }

// Began is when the server was started.
func (a *API) Began() time.Time { return a.began }

// Request creates an Event, or patches it if it has a patch.
type Request struct {
	Via   schema.GroupVersion
	Event *corev1.Event
	Patch []byte
}

// handle answers a request that arrives: to patch an Event or, without a patch, to create it.
func (c *Component) handle(
	via schema.GroupVersion, event *corev1.Event, patch []byte, arrives time.Time,
) (*corev1.Event, error) {
	a := c.api
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.forgetful {
		a.forgotten++
		stored := *event
		stored.ResourceVersion = strconv.Itoa(a.forgotten)
		return &stored, nil
	}
	s := c.seriesOf(event)
	a.count(arrives)
	request := store.Request{Via: via, Namespace: event.Namespace, Name: event.Name}
	var stored *corev1.Event
	var err error
	if patch == nil {
		s.tally.Creates++
		stored, err = a.store.Create(request, event)
	} else {
		s.tally.Patches++
		stored, err = a.store.Patch(request, store.Patch{Type: types.StrategicMergePatchType, Body: patch})
	}
	if err != nil {
		return nil, err
	}
	if a.Applied != nil {
		a.Applied(Request{via, event.DeepCopy(), patch})
	}
	name, count := types.NamespacedName{Namespace: stored.Namespace, Name: stored.Name}, eventview.FromCoreV1(stored).Count
	before, known := a.counted[name]
	a.counted[name] = count
	if !known {
		s.tally.Events++
	}
	// On the wire some of the times are cut to seconds, so it is the request that says when the last one was observed.
	s.show(count-before, eventview.FromCoreV1(event).Last, arrives, !known)
	return stored, nil
}

func (a *API) count(arrives time.Time) {
	i := int(arrives.Sub(a.began) / time.Second)
	for len(a.seconds) <= i {
		a.seconds = append(a.seconds, 0)
	}
	a.seconds[i]++
}

// Seconds returns the number of requests in each second since the server's start.
func (a *API) Seconds() []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]int(nil), a.seconds...)
}

// Stored returns how many Events the server has now.
func (a *API) Stored() int { return a.store.Len() }

// grace is the time that everybody gets to deliver after the script: time for tools/events' final counts, which come 6
// to 12 minutes after the last occurrence, for its refresh every 30 minutes, and for a full queue to empty.
const grace = 45 * time.Minute

// Finish waits for what is still to be delivered, and then shuts every component down, in the way that loses the least.
func (a *API) Finish() {
	time.Sleep(grace)
	for _, c := range a.components {
		c.recorder.stop()
	}
}
