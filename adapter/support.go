// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/timing"
)

// support tracks whether events.k8s.io/v1 is served. A failed probe (401, 403, 5xx,
// timeout) never replaces an answer.
type support struct {
	config *config
	// prober is nil if there is no server to ask, so that the answer does not change.
	prober *discovery.Prober
	probes *throttledProbe

	// One probe at a time sets these. correlated says that client-go's correlator takes what is
	// recorded now.
	known      atomic.Pointer[known]
	correlated atomic.Bool
}

// known is what discovery has said.
type known struct {
	discovery.Support
	// since is when Support became known.
	since time.Time
	// lastError has the words of the last probe that failed.
	lastError string
}

func newSupport(c *config) *support {
	s := &support{config: c, probes: newThrottledProbe(c)}
	s.known.Store(&known{since: c.Clock.Now()})
	return s
}

func (s *support) current() discovery.Support { return s.known.Load().Support }

// fix sets the first answer, when the adapter gets its sink. Occurrences that were recorded before wait
// as series.
func (s *support) fix(value discovery.Support) {
	s.set(&known{Support: value, since: s.config.Clock.Now()})
}

func (s *support) set(now *known) {
	s.known.Store(now)
	s.correlated.Store(s.config.mode == ModeLegacy || s.config.mode == ModeAuto && now.Support == discovery.NotServed)
}

// run probes until the API is served, and again when a write has found that this ended. It
// returns when ctx ends, or at once if there is nothing to find out.
func (s *support) run(ctx context.Context) {
	for s.config.mode == ModeAuto && s.prober != nil {
		switch s.current() {
		case discovery.Unknown:
			s.probe(ctx, timing.ProbeEvery)
		case discovery.NotServed:
			s.probe(ctx, timing.ReprobeEvery)
		}
		select {
		case <-s.config.Clock.After(timing.ProbeEvery):
		case <-ctx.Done():
			return
		}
	}
}

// probe asks the server, unless that was done within interval.
func (s *support) probe(ctx context.Context, interval time.Duration) {
	var failed, changed bool
	var before, now known
	var err error
	s.probes.ask(ctx, interval, func() {
		var value discovery.Support
		value, err = s.prober.Probe(ctx)
		before = *s.known.Load()
		now = before
		failed = err != nil && now.lastError == "" && ctx.Err() == nil
		changed = value != discovery.Unknown && value != now.Support
		now.lastError = textOf(err)
		if changed {
			now.Support = value
			now.since = s.config.Clock.Now()
		}
		s.set(&now)
	})
	// Nobody waits for the logger to have the next turn.
	switch logger := s.config.Logger; {
	case failed:
		logger.Info("Cannot tell whether events.k8s.io/v1 is served; retrying. "+
			"The API for Events does not change", "advice", "discovery",
			"err", err, "known", now.Support.String())
	case changed && now.Support == discovery.NotServed:
		logger.Info("The API server does not serve events.k8s.io/v1; Events go through core/v1",
			"advice", "api-not-served", "askingAgainIn", timing.ReprobeEvery)
	case changed && before.Support == discovery.NotServed:
		logger.Info("The API server serves events.k8s.io/v1 now; Events go through it")
	case changed:
		logger.V(2).Info("Events go through events.k8s.io/v1")
	}
}

// throttledProbe asks the server a question. One caller at a time asks it, and not again within an
// interval; the others wait for the answer.
type throttledProbe struct {
	config *config
	// semaphore is held while the question is asked.
	semaphore chan struct{}
	// lastAsked is when that ended. The semaphore guards it.
	lastAsked time.Time
}

func newThrottledProbe(c *config) *throttledProbe {
	return &throttledProbe{config: c, semaphore: make(chan struct{}, 1)}
}

// ask calls f, unless that was done within interval. A question that ran out of time counts as
// asked, because the next write would only time out as well. One that was cancelled does not: at
// a drain the caller gave up, and another one may ask.
func (p *throttledProbe) ask(ctx context.Context, interval time.Duration, f func()) {
	select {
	case p.semaphore <- struct{}{}:
		defer func() { <-p.semaphore }()
	case <-ctx.Done():
		return
	}
	if p.config.within(interval, p.lastAsked) {
		return
	}
	f()
	if !errors.Is(ctx.Err(), context.Canceled) {
		p.lastAsked = p.config.Clock.Now()
	}
}

// within reports whether less than interval has passed since a time.
func (c *config) within(interval time.Duration, since time.Time) bool {
	return c.Clock.Since(since) < interval
}
