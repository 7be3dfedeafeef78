// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"strings"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// manners are how a component has to behave towards a server in trouble.
type manners struct {
	asked     map[string]time.Time // questions about the API and about RBAC
	notBefore map[string]time.Time // the server's own word, by the namespace that heard it
	knocked   int                  // writes since nobody answers
}

// How far apart the same questions are.
const (
	probeEvery  = 30 * time.Second
	accessEvery = time.Minute
)

// checkManners looks at a request that arrives.
func (w *world) checkManners(c *component, r *apiserver.Request) {
	m, now := &c.manners, time.Now()
	if r.Resource() == "events" {
		m.knocked++
	}
	if c.config.QPS > 0 {
		return // its rate limiter holds up what was begun long ago
	}
	if r.Resource() == "events" {
		// Drain tries everything once, a second writer has not heard of it, and an adapter may be in the middle of a
		// write, between two APIs.
		mayGoOn := c.ending || c.hasTwoWriters() || c.config.Shape == viaAdapter && c.config.Mode == adapter.Auto
		if wait := m.notBefore[r.Namespace()].Sub(now); wait > 0 && !mayGoOn {
			w.fail("%s comes back %v before the time that the server named: %s", c.name, wait, r)
		}
		return
	}
	every := accessEvery
	if r.Resource() == "" {
		every = probeEvery
	}
	if last, ok := m.asked[question(r)]; ok && now.Sub(last) < every && isFirst(r) && !c.ending {
		w.fail("%s asks again after %v: %s", c.name, now.Sub(last), r)
	}
	m.asked[question(r)] = now
}

// question is what r is a part of: about RBAC in a namespace, or about the API.
func question(r *apiserver.Request) string { return r.Resource() + " " + r.Namespace() }

// isFirst tells whether r begins a question.
func isFirst(r *apiserver.Request) bool {
	return r.Resource() == "" || strings.HasSuffix(r.String(), "create events.events.k8s.io")
}

// learn takes note of what a component was told.
func (m *manners) learn(r *apiserver.Request, how string, retryAfter time.Duration) {
	switch {
	case r.GaveUp():
		if r.Resource() == "" {
			delete(m.asked, question(r)) // who did not wait may ask again
		}
	case r.Resource() != "events":
	case how == apiserver.PriorityAndFairness.String():
		m.notBefore[r.Namespace()] = time.Now().Add(retryAfter)
	default:
		delete(m.notBefore, r.Namespace()) // an answer to a write that was under way
	}
}

// checkOutage: while no connection comes about, a component tries now and then.
// The longest back-off is 30 seconds, 15 on average.
func (w *world) checkOutage(lasted time.Duration) {
	for _, c := range w.all {
		often := 100 + int(lasted/(4*time.Second))
		if c.manners.knocked > often {
			w.fail("%s tried %d times in an outage of %v", c.name, c.manners.knocked, lasted)
		}
	}
}
