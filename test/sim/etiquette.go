// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"strings"
	"time"

	"github.com/eventseries/eventseries/adapter"
)

// etiquette has the requests of a component that show whether it spares a server in trouble.
type etiquette struct {
	// asked has the time of the last request of each kind about the API and about RBAC.
	asked map[string]time.Time
	// notBefore has the time until which the server has asked to wait, by the namespace of the
	// write.
	notBefore map[string]time.Time
	// attempts is the number of writes since the faults changed.
	attempts int
	// turns has, by series, the last times at which a create found an event or a patch found none.
	turns map[string][]time.Time
}

// mostTurns is the greatest number of turns of a series in a minute.
const mostTurns = 150

// The least time between two equal requests about the API and about RBAC.
const (
	probeEvery  = 30 * time.Second
	accessEvery = time.Minute
)

// checkEtiquette checks a request that arrives.
func (w *world) checkEtiquette(c *component, r *request) {
	m, now := &c.etiquette, time.Now()
	if r.resource == "events" {
		m.attempts++
	}
	// A rate limiter delays requests that were begun long ago.
	if c.config.QPS > 0 {
		return
	}
	if r.resource == "events" {
		// Drain tries everything once. A second writer does not know of the delay. An adapter may be in the middle of a
		// write, between two APIs.
		mayGoOn := c.ending || c.hasTwoWriters() || c.config.Shape == viaAdapter && c.config.Mode == adapter.ModeAuto
		if wait := m.notBefore[r.namespace].Sub(now); wait > 0 && !mayGoOn {
			w.fail("%s sends %v before the time that the server named: %s", c.name, wait, r)
		}
		return
	}
	every := accessEvery
	if r.resource == "" {
		every = probeEvery
	}
	if last, ok := m.asked[question(r)]; ok && now.Sub(last) < every && isFirst(r) && !c.ending {
		w.fail("%s asks again after %v: %s", c.name, now.Sub(last), r)
	}
	m.asked[question(r)] = now
}

// question returns a key for a request about the API, or about RBAC in a namespace. Equal requests
// have the same key.
func question(r *request) string { return r.resource + " " + r.namespace }

// isFirst reports whether r is the first request of a question.
func isFirst(r *request) bool {
	return r.resource == "" || strings.HasSuffix(r.String(), "create events.events.k8s.io")
}

// checkTurns checks that a create that finds an event and a patch that finds none do not follow each other in a hot loop.
// Package legacy writes each occurrence, as client-go does, and has no back-off between the two.
func (w *world) checkTurns(r *request) {
	found := r.verb == "create" && r.outcome == "409"
	missed := r.verb == "patch" && r.outcome == "404"
	if !found && !missed || r.legacy || r.stored == nil {
		return
	}
	turns := w.component(r.component).etiquette.turns
	series := describe(r.about())
	turns[series] = append(turns[series], time.Now())
	if len(turns[series]) <= mostTurns {
		return
	}
	first := turns[series][0]
	turns[series] = turns[series][1:]
	if since := time.Since(first); since < time.Minute {
		w.fail("turns: %d creates that found an event and patches that found none in %v: %s", mostTurns+1, since, r)
	}
}

// learn notes the answer to a request.
func (m *etiquette) learn(r *request, how string, retryAfter time.Duration) {
	switch {
	case r.abandoned():
		if r.resource == "" {
			// A client that did not wait for the answer may ask again.
			delete(m.asked, question(r))
		}
	case r.resource != "events":
	case how == priorityAndFairness.String():
		m.notBefore[r.namespace] = time.Now().Add(retryAfter)
	default:
		// This write was under way when the server asked to wait, and it was answered.
		delete(m.notBefore, r.namespace)
	}
}

// checkOutage checks that each component has sent few writes during an outage. The longest back-off
// is 30 seconds, so on average it is 15 seconds.
func (w *world) checkOutage(lasted time.Duration) {
	for _, c := range w.all {
		often := 100 + int(lasted/(4*time.Second))
		if c.etiquette.attempts > often {
			w.fail("%s tried %d times in an outage of %v", c.name, c.etiquette.attempts, lasted)
		}
	}
}
