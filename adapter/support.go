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

// support tracks whether the API server serves events.k8s.io/v1, according to discovery. A request
// to discovery that fails (401, 403, 5xx, a timeout) does not replace an earlier answer.
type support struct {
	config *config
	// prober sends the requests to discovery. It is nil if there is no API server to ask. In that
	// case the first answer is final.
	prober *discovery.Prober
	// probes limits how often discovery is asked.
	probes *throttledProbe

	// known is the last answer. Only one goroutine at a time sets known and correlated.
	known atomic.Pointer[known]
	// correlated is true while new occurrences go to client-go's correlator. The engine reads it.
	correlated atomic.Bool
}

// known is the last answer of discovery.
type known struct {
	discovery.Support
	// since is the time at which Support last changed.
	since time.Time
	// lastError is the error text of the last request to discovery. It is empty if the request
	// succeeded.
	lastError string
}

// newSupport returns the state before discovery has been asked: there is no answer yet, and no
// prober.
func newSupport(c *config) *support {
	s := &support{config: c, probes: newThrottledProbe(c)}
	s.known.Store(&known{since: c.Clock.Now()})
	return s
}

func (s *support) current() discovery.Support { return s.known.Load().Support }

// fix sets the initial answer when the adapter gets its client: Unknown, or NotServed if there is
// no API server to ask. Occurrences that were recorded before the call are already pending in
// series, and stay there.
func (s *support) fix(value discovery.Support) {
	s.set(&known{Support: value, since: s.config.Clock.Now()})
}

// set sets the answer, and derives from it whether the correlator receives later occurrences.
func (s *support) set(now *known) {
	s.known.Store(now)
	s.correlated.Store(s.config.mode == ModeLegacy || s.config.mode == ModeAuto && now.Support == discovery.NotServed)
}

// run asks discovery repeatedly while the answer is not Served. If a later write finds out that the
// server no longer serves events.k8s.io/v1, run starts asking again. run returns when ctx ends, or
// immediately if the mode is not ModeAuto or there is no prober.
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

// probe asks discovery, unless it was last asked less than interval ago. It logs a line when the
// answer changes, and a line for the first of several failures in a row.
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

// throttledProbe limits how often one question is put to the API server. One caller at a time asks.
// The other callers wait for it, and do not ask again if its answer is recent enough. It is safe
// for concurrent use.
type throttledProbe struct {
	config *config
	// semaphore holds an element while a caller asks. It is a channel rather than a mutex, so that
	// a caller can stop waiting when its context ends.
	semaphore chan struct{}
	// lastAsked is the time at which the last request ended. It is guarded by semaphore.
	lastAsked time.Time
}

func newThrottledProbe(c *config) *throttledProbe {
	return &throttledProbe{config: c, semaphore: make(chan struct{}, 1)}
}

// ask calls f, which asks the question, unless the last call ended less than interval ago. It
// returns without calling f if ctx ends while another caller asks.
//
// A request that timed out counts as asked, because the next one would probably time out as well. A
// request whose context was cancelled does not count: its caller has given up, for example at the
// end of a drain, and the next caller may get an answer.
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

// within reports whether less than interval has passed since the given time.
func (c *config) within(interval time.Duration, since time.Time) bool {
	return c.Clock.Since(since) < interval
}
