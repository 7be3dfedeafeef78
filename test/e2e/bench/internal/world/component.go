// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Identity is who records, and how fast its client may write.
type Identity struct {
	Controller string // "kubelet"
	Host       string // "node-1"
	// QPS and Burst of client-go's rate limiter. Zero: 50 and 100, as kubelet's and kube-scheduler's.
	QPS, Burst int
	// Cut reports whether the server cannot be reached at a time: requests time out. It is called from many goroutines.
	// Nil: never.
	Cut func(now time.Time) bool
}

// recorder is a contender at work.
type recorder interface {
	Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any)
	stop()
}

// Component is a process that records Events.
type Component struct {
	Identity
	api      *API
	recorder recorder

	// Under the server's lock.
	series map[seriesKey]*Series
	firsts []first
}

// NewComponent starts a component. It must be called in the bubble, before anything occurs.
func (a *API) NewComponent(contender Contender, identity Identity) *Component {
	if identity.QPS == 0 {
		identity.QPS, identity.Burst = 50, 100
	}
	c := &Component{Identity: identity, api: a, series: map[seriesKey]*Series{}}
	c.recorder = contender(newWire(c))
	a.components = append(a.components, c)
	return c
}

// Series returns the series of an object, type and reason. On a forgetful server it is a new one each time.
func (c *Component) Series(subject Subject) *Series {
	s := &Series{Subject: subject, component: c}
	if c.api.forgetful {
		return s
	}
	c.api.mu.Lock()
	defer c.api.mu.Unlock()
	key := subject.key()
	if c.series[key] == nil {
		c.series[key] = s
	}
	return c.series[key]
}

// seriesOf returns the series that an Event is of.
func (c *Component) seriesOf(e *corev1.Event) *Series {
	object := &e.InvolvedObject
	s := c.series[seriesKey{uid: object.UID, fieldPath: object.FieldPath, eventType: e.Type, reason: e.Reason}]
	if s == nil {
		panic(fmt.Sprintf("world: %s on %s wrote an Event that never occurred: %v", c.Controller, c.Host, e))
	}
	return s
}
