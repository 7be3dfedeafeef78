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
	prober *discovery.Prober // nil: there is no server to ask, and the answer does not change
	probes *question

	// One probe at a time sets these.
	known      atomic.Pointer[known]
	correlated atomic.Bool // by client-go's correlator is what is recorded now
}

// known is what discovery has said.
type known struct {
	discovery.Support
	since     time.Time // of Support
	lastError string    // of the last probe
}

func newSupport(c *config) *support {
	s := &support{config: c, probes: newQuestion(c)}
	s.known.Store(&known{since: c.Clock.Now()})
	return s
}

func (s *support) current() discovery.Support { return s.known.Load().Support }

// fix sets the answer of an adapter that has got its sink. What was recorded until then waits as
// series: the correlator drops what has no sink.
func (s *support) fix(value discovery.Support) {
	s.set(&known{Support: value, since: s.config.Clock.Now()})
}

func (s *support) set(now *known) {
	s.known.Store(now)
	s.correlated.Store(s.config.mode == Legacy || s.config.mode == Auto && now.Support == discovery.NotServed)
}

// run probes until the API is served, and again when a write has found that this ended. It
// returns when ctx ends, or at once if there is nothing to find out.
func (s *support) run(ctx context.Context) {
	for s.config.mode == Auto && s.prober != nil {
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
	var now known
	var err error
	s.probes.ask(ctx, interval, func() {
		var value discovery.Support
		value, err = s.prober.Probe(ctx)
		now = *s.known.Load()
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
	case changed:
		logger.V(2).Info("Events go through events.k8s.io/v1")
	}
}

// question is one for the server. One caller at a time asks it, and not again within an
// interval; the others wait for the answer.
type question struct {
	config *config
	turn   chan struct{} // held while it is asked
	asked  time.Time     // when that ended; whoever holds turn may use it
}

func newQuestion(c *config) *question { return &question{config: c, turn: make(chan struct{}, 1)} }

// ask calls f, unless that was done within interval. A question that ran out of time counts as
// asked, because the next write would only time out as well. One that was cancelled does not: at
// a drain the caller gave up, and another one may ask.
func (q *question) ask(ctx context.Context, interval time.Duration, f func()) {
	select {
	case q.turn <- struct{}{}:
		defer func() { <-q.turn }()
	case <-ctx.Done():
		return
	}
	if q.config.recently(q.asked, interval) {
		return
	}
	f()
	if !errors.Is(ctx.Err(), context.Canceled) {
		q.asked = q.config.Clock.Now()
	}
}
