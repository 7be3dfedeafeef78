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

// support has the answer of discovery to the question whether the API server serves
// events.k8s.io/v1. A question that fails (401, 403, 5xx, a timeout) does not replace an earlier
// answer.
type support struct {
	config *config
	// prober asks discovery. It is nil if there is no API server to ask; then the first answer
	// stays.
	prober *discovery.Prober
	// probes limits how often discovery is asked.
	probes *throttledProbe

	// known is the last answer. One goroutine at a time sets it, and correlated.
	known atomic.Pointer[known]
	// correlated is true while client-go's correlator takes the occurrences that are recorded. The
	// engine reads it.
	correlated atomic.Bool
}

// known is the last answer of discovery.
type known struct {
	discovery.Support
	// since is the time at which Support changed to this answer.
	since time.Time
	// lastError is the text of the error if the last question failed, and empty otherwise.
	lastError string
}

// newSupport returns a support without an answer and without a prober.
func newSupport(c *config) *support {
	s := &support{config: c, probes: newThrottledProbe(c)}
	s.known.Store(&known{since: c.Clock.Now()})
	return s
}

func (s *support) current() discovery.Support { return s.known.Load().Support }

// fix sets the answer with which the adapter begins when it gets its client: Unknown, or NotServed if
// there is no API server to ask. Occurrences that were recorded before are pending in series.
func (s *support) fix(value discovery.Support) {
	s.set(&known{Support: value, since: s.config.Clock.Now()})
}

// set sets the answer, and whether the correlator takes the occurrences that are recorded from now
// on.
func (s *support) set(now *known) {
	s.known.Store(now)
	s.correlated.Store(s.config.mode == ModeLegacy || s.config.mode == ModeAuto && now.Support == discovery.NotServed)
}

// run asks discovery again and again while the answer is not Served. A write that finds out that
// the API is not served any more also changes the answer; then run continues to ask. run returns
// when ctx ends, or immediately if the mode is pinned or there is no prober.
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

// probe asks discovery, unless the last question is younger than interval. It logs a change of the
// answer, and the first of several failures.
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
	// This is outside of ask, so that the next caller does not wait for the logger.
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

// throttledProbe limits how often the API server is asked one question. One caller at a time asks.
// The others wait, and do not ask again if the answer is new enough. It is safe for concurrent use.
type throttledProbe struct {
	config *config
	// semaphore has an element while a caller asks. It is a channel, so that a caller can stop
	// waiting when its context ends.
	semaphore chan struct{}
	// lastAsked is the time at which the last question ended. The semaphore guards it.
	lastAsked time.Time
}

func newThrottledProbe(c *config) *throttledProbe {
	return &throttledProbe{config: c, semaphore: make(chan struct{}, 1)}
}

// ask calls f, which asks the question, unless the last question is younger than interval. It
// returns without a call if ctx ends while another caller asks.
//
// A question that timed out counts as asked, because the next one would most likely time out as
// well. A question whose context was cancelled does not count, because its caller has given up, for
// example at the end of a drain, and the next caller may get an answer.
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

// within reports whether less than interval has passed since the time since.
func (c *config) within(interval time.Duration, since time.Time) bool {
	return c.Clock.Since(since) < interval
}
