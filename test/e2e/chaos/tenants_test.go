// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/webhook"
)

// The longest times until Events of a healthy namespace are written while other namespaces fail.
const (
	healthyMedian = 5 * time.Second
	healthyWorst  = 30 * time.Second
)

// drainTimeout is the longest time that Shutdown may take by default.
const drainTimeout = 5 * time.Second

// Ten namespaces have a webhook that does not answer, each for as long as a webhook may take.
//
// Caught: a window that is full of writes to the sick namespaces.
func TestWebhookHangs(t *testing.T) {
	sickNamespaces(t, "a webhook that hangs in 10 namespaces", webhook.Hang)
}

// Ten namespaces have a webhook that is broken.
func TestWebhookFails(t *testing.T) {
	sickNamespaces(t, "a webhook that answers 500, at once or after 10 s, in 10 namespaces",
		webhook.Fail, webhook.After(10*time.Second, webhook.Fail))
}

// sickNamespaces has four components record in a healthy namespace and in ten in which each write has one of the
// webhook's answers: with the adapter and in mode Legacy, one that ends meanwhile and one that goes on.
func sickNamespaces(t *testing.T, title string, answers ...webhook.Answer) {
	s := open(t, scenario{title: title, tenants: 11})
	old := []adapter.Option{adapter.WithMode(adapter.ModeLegacy)}
	abandoned := []events.DropReason{events.DropAbandoned}
	last := []*rig{s, s.beside(scenario{title: title + ", mode legacy", calm: true, adapter: old})}
	ending := []*rig{
		s.beside(scenario{title: "... drained meanwhile", calm: true, drops: abandoned}),
		s.beside(scenario{title: "... drained meanwhile, mode legacy", calm: true, drops: abandoned, adapter: old}),
	}
	s.Run(5 * time.Second)

	in := map[string]webhook.Answer{}
	for i, namespace := range s.sick() {
		in[namespace] = answers[i%len(answers)]
	}
	server := webhook.Start(webhook.In(in))
	t.Cleanup(server.Close)
	s.Webhook(server, 30*time.Second, s.sick()...)
	for _, c := range slices.Concat(last, ending) {
		c.Walk(125*time.Millisecond, "Patrol", c.visitor())
	}
	s.Run(100 * time.Second)
	for _, c := range slices.Concat(last, ending) {
		c.healthyArrive()
	}
	var drains sync.WaitGroup
	for _, c := range ending {
		drains.Go(c.endsInTime)
	}
	drains.Wait()

	s.RemoveWebhook(s.sick()[0])
	var recoveries sync.WaitGroup
	for _, c := range last {
		recoveries.Go(c.recovers)
	}
	recoveries.Wait()
	for _, c := range last {
		c.settle()
	}
	for _, c := range ending {
		c.account()
	}
}

// healthy is the namespace that nothing happens to; cluster-scoped objects have another one.
func (s *rig) healthy() string { return s.namespaces[0] }

// sick are the namespaces that something happens to.
func (s *rig) sick() []string { return s.namespaces[1:] }

// visitor returns what a Walk is to be about: new pods, each second one in the healthy namespace, the others in the sick
// ones in turn.
func (s *rig) visitor() func(int) Object {
	return func(n int) Object {
		namespace := s.healthy()
		if n%2 == 1 {
			namespace = s.sick()[n/2%len(s.sick())]
		}
		return Pod(namespace, fmt.Sprintf("patrol-%d", n))
	}
}

// healthyArrive checks how long the healthy Warnings of a Walk, of which each is recorded once, have taken so far.
func (s *rig) healthyArrive() {
	s.t.Helper()
	now, seen := time.Now(), s.observer.Seen()
	var lags []time.Duration
	waiting := 0
	for key, at := range s.First() {
		if key.Namespace != s.healthy() {
			continue
		}
		written := now
		if times := seen[key]; len(times) > 0 {
			written = times[0]
		} else {
			waiting++
		}
		lags = append(lags, written.Sub(at))
	}
	slices.Sort(lags)
	median, worst := lags[len(lags)/2], lags[len(lags)-1]
	s.t.Logf("%s: %d healthy Warnings, written after %.1fs (median) and %.1fs (worst), %d still wait",
		s.scenario.title, len(lags), median.Seconds(), worst.Seconds(), waiting)
	if median > healthyMedian || worst > healthyWorst {
		s.t.Errorf("%s: healthy Warnings are written after %v (median) and %v (worst), want %v and %v",
			s.scenario.title, median, worst, healthyMedian, healthyWorst)
	}
}

// endsInTime ends the component in mid-fault, just after it has recorded some more. Nothing healthy is lost.
func (s *rig) endsInTime() {
	s.Stop()
	s.Warn("Last", Pods(100, s.healthy())...)
	s.Warn("Last", Pods(10, s.sick()...)...)
	ctx, cancel := context.WithTimeout(s.t.Context(), drainTimeout)
	defer cancel()
	began := time.Now()
	err := s.adapter.Drain(ctx)
	var lost *events.AbandonedError
	if !errors.As(err, &lost) {
		s.t.Errorf("%s: Drain returned %v, want an AbandonedError", s.scenario.title, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var healthy, healthySeries int64
	for key, n := range s.dropped {
		if !slices.Contains(s.sick(), key.Namespace) {
			healthy += n
			healthySeries++
		}
	}
	s.t.Logf("%s: drained in %.1fs, %d sick and %d healthy occurrences lost, %d unconfirmed",
		s.scenario.title, time.Since(began).Seconds(), s.dropped.Total()-healthy, healthy, lost.Unconfirmed)
	if healthy > 0 {
		s.t.Errorf("%s: %d healthy occurrences were dropped in %d series", s.scenario.title, healthy, healthySeries)
	}
}
