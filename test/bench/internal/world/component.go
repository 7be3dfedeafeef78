// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
)

// Identity is who records, and how fast its client may write.
type Identity struct {
	Controller string // "kubelet"
	Host       string // "node-1"
	// QPS and Burst of client-go's rate limiter. Zero: 50 and 100, as kubelet's
	// and kube-scheduler's.
	QPS, Burst int
	// Cut says whether the server cannot be reached now: requests time out. It is
	// called from many goroutines. Nil: never.
	Cut func(now time.Time) bool
}

// recorder is a contender at work.
type recorder interface {
	Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any)
	stop()
}

// Component is a process that records Events, with a contender in it.
type Component struct {
	Identity
	api      *API
	recorder recorder

	// Under the server's lock.
	series map[seriesKey]*Series
	firsts []first
}

// NewComponent starts a component. It must be called in the bubble.
func (a *API) NewComponent(contender Contender, identity Identity) *Component {
	if identity.QPS == 0 {
		identity.QPS, identity.Burst = 50, 100
	}
	c := &Component{Identity: identity, api: a, series: map[seriesKey]*Series{}}
	c.recorder = contender.start(newWire(c))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.components = append(a.components, c)
	return c
}

// NewSeries tells the component what it is going to record. There must be only
// one series of the same object, type and reason.
func (c *Component) NewSeries(subject Subject) *Series {
	s := &Series{Subject: subject, component: c}
	c.api.mu.Lock()
	defer c.api.mu.Unlock()
	key := subject.key()
	if c.series[key] != nil {
		panic(fmt.Sprintf("world: a second series of %+v in %s on %s", key, c.Controller, c.Host))
	}
	c.series[key] = s
	return s
}

// Series returns the series of that object, type and reason, a new one if there
// is none. On a forgetful server it always is a new one.
func (c *Component) Series(subject Subject) *Series {
	if !c.api.settings.Forgetful {
		c.api.mu.Lock()
		s := c.series[subject.key()]
		c.api.mu.Unlock()
		if s != nil {
			return s
		}
		return c.NewSeries(subject)
	}
	return &Series{Subject: subject, component: c}
}

// seriesOf returns the series that an Event is of, nil if the server is forgetful.
func (c *Component) seriesOf(key seriesKey) *Series {
	if c.api.settings.Forgetful {
		return nil
	}
	c.api.mu.Lock()
	defer c.api.mu.Unlock()
	s := c.series[key]
	if s == nil {
		panic(fmt.Sprintf("world: %s on %s wrote an Event of %+v, which never occurred", c.Controller, c.Host, key))
	}
	return s
}

// Stats returns what the SDK says of itself; ok is false for a peer, which says
// nothing.
func (c *Component) Stats() (stats events.Stats, ok bool) {
	if r, is := c.recorder.(interface{ stats() events.Stats }); is {
		return r.stats(), true
	}
	return stats, false
}

// grace is the time that everybody gets to deliver after the script: time for
// tools/events' final counts, which come 6 to 12 minutes after the last
// occurrence, for its refresh every 30 minutes, and for a full queue to empty.
const grace = 45 * time.Minute

// Finish waits for what is still to be delivered, and then shuts every component
// down, in the way that loses the least.
func (a *API) Finish() {
	time.Sleep(grace)
	a.mu.Lock()
	components := a.components
	a.mu.Unlock()
	for _, c := range components {
		c.recorder.stop()
	}
}
