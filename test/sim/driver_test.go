// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// answered returns a request of c for a stored event, with its outcome.
func answered(c *component, verb, outcome string) *request {
	event := &corev1.Event{
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "bank", Name: "object-1"},
		Type:           corev1.EventTypeWarning,
		Reason:         "BackOff",
	}
	return &request{
		component: c.name,
		verb:      verb,
		resource:  eventsResource,
		namespace: "bank",
		outcome:   outcome,
		stored:    &entry{event: event, component: c.name},
		server:    newServer(),
	}
}

// The driver finds components that break a promise when namespaces differ in latency and limits, a
// proxy answers, other clients delete events, or clocks are ahead. Each row breaks one promise.
func TestChecksOfUnevenWorldsCanFail(t *testing.T) {
	for name, row := range map[string]struct {
		script func(w *world, c *component)
		want   string
	}{
		"a Warning waits beside slower namespaces": {func(w *world, c *component) {
			// The component has one write at a time, but the driver expects more.
			c.config.InFlight = 64
			w.makeUneven([]int{1, 7})
		}, "lag: a Warning of c0-0"},
		"a write comes before its Retry-After": {func(w *world, c *component) {
			r := answered(c, "create", "429")
			c.etiquette.learn(r, priorityAndFairness.String(), 5*time.Second)
			time.Sleep(4 * time.Second)
			w.checkEtiquette(c, r)
		}, "sends 1s before the time that the server named"},
		"a write comes after its Retry-After": {func(w *world, c *component) {
			r := answered(c, "create", "429")
			c.etiquette.learn(r, priorityAndFairness.String(), 5*time.Second)
			time.Sleep(5 * time.Second)
			w.checkEtiquette(c, r)
		}, ""},
		"a question comes too soon": {func(w *world, c *component) {
			r := &request{component: c.name, verb: "get", line: "discovery"}
			w.checkEtiquette(c, r)
			time.Sleep(probeEvery - time.Second)
			w.checkEtiquette(c, r)
		}, "asks again after 29s"},
		"an outage is a hot loop": {func(w *world, c *component) {
			c.etiquette.attempts = 150
			w.checkOutage(time.Minute)
		}, "tried 150 times in an outage of 1m0s"},
		"creates and patches take turns": {func(w *world, c *component) {
			for range mostTurns {
				w.checkTurns(answered(c, "create", "409"))
				w.checkTurns(answered(c, "patch", "404"))
				time.Sleep(100 * time.Millisecond)
			}
		}, "turns: 151 creates that found an event"},
		"creates and patches take turns, and wait": {func(w *world, c *component) {
			for range mostTurns {
				w.checkTurns(answered(c, "create", "409"))
				w.checkTurns(answered(c, "patch", "404"))
				time.Sleep(time.Second)
			}
		}, ""},
		"the page of a proxy drops": {func(w *world, c *component) {
			err := apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "post",
				corev1.Resource(eventsResource), "web.1", "<html>", 0, true)
			c.counts.drop(events.Drop{Reason: events.DropRejected, Err: err})
			w.checkStats(c)
		}, "c0-0 dropped as Rejected"},
		"a refused write comes again at once": {func(w *world, c *component) {
			r := answered(c, "create", "422")
			w.recordOutcome(r)
			w.checkRewrite(c, r)
		}, "sent again 0s after it was refused"},
		"a count is lost with what somebody deleted": {func(w *world, c *component) {
			e := answered(c, "patch", "200").stored
			e.maxAcked, e.count = 5, 3
			w.server.ledger.order = append(w.server.ledger.order, e)
			w.checkStored()
		}, "c0-0 has 5 acknowledged of an event about object-1, the server has 3"},
		"a count is there twice after somebody deleted it": {func(w *world, c *component) {
			e := answered(c, "patch", "200").stored
			e.maxAcked, e.count, e.live = 3, 5, true
			w.server.ledger.order = append(w.server.ledger.order, e)
			w.checkStored()
		}, "the server has 2 more of c0-0 than it recorded, 0 are unconfirmed"},
		"an occurrence is nowhere": {func(w *world, c *component) {
			c.counts.emitted[bucket{name: "object-1"}]++
			w.checkStored()
		}, "of 1 of {"},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			one := ComponentConfig{Shape: viaSeries, InFlight: 1, Early: true}
			script := Script{Config: Config{TTL: time.Hour, Components: []ComponentConfig{one}}}
			w := newWorld(&script, &trace{})
			row.script(w, w.slots[0])
			got := strings.Join(w.violations, "\n")
			if (got == "") != (row.want == "") || !strings.Contains(got, row.want) {
				t.Errorf("violations %q, want %q", got, row.want)
			}
			w.violations = nil
			w.closing = true
			w.beginDrain(w.slots[0], time.Minute)
			w.passUntil(time.Now().Add(time.Hour), func() bool { return len(w.jobs) == 0 })
			w.slots[0].cancel()
		})
	}
}

// A server whose answers contradict each other is not asked in a hot loop. Few seeds have nothing but such answers.
//
// Caught: a series that does not wait when a patch finds no event just after a create found one.
func TestContradictoryServer(t *testing.T) {
	one := ComponentConfig{Shape: viaSeries, InFlight: 4, Early: true, SharedCounts: true}
	script := Script{
		Config: Config{TTL: time.Hour, Components: []ComponentConfig{one}},
		Steps: []Step{
			{Act: faultsAct, Args: []int{int(contradictory), 0, 0, 0, 100, 20, 0, 0, 0}},
			{Act: emitAct, Args: []int{0, 0, 1, 1, 1, 0, 0}},
			{Act: waitAct, Args: []int{60_000}},
		},
	}
	r := Run(t, script, nil)
	if r.Failed() || r.Coverage["answer/contradictory"] == 0 {
		t.Errorf("violations %q; %s", r.Violations, r.Coverage)
	}
}
