// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
)

// support knows whether events.k8s.io/v1 is served. An answer that is none (a
// 401, 403, 5xx, timeout) never replaces one that was given.
type support struct {
	config  *config
	prober  *discovery.Prober
	changed func()        // called without the lock
	poke    chan struct{} // the answer changed: wait anew

	mu     sync.Mutex // guards the rest
	value  discovery.Support
	since  time.Time
	err    error
	asked  time.Time
	asking chan struct{} // closed when the probe under way is over
}

func newSupport(prober *discovery.Prober, c *config) *support {
	return &support{
		config: c, prober: prober, poke: make(chan struct{}, 1), since: c.clock.Now(),
		changed: func() {},
	}
}

func (s *support) current() discovery.Support {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}

// run probes at the start, unless a Flush before that has, and again as long as
// the answer may get better.
func (s *support) run(ctx context.Context) {
	if _, recent := s.recent(); !recent {
		s.probe(ctx)
	}
	for {
		due, stop := s.next()
		select {
		case <-due:
			s.probe(ctx)
		case <-s.poke:
		case <-ctx.Done():
			stop()
			return
		}
		stop()
	}
}

// next is when to probe again. Served is true until a write is told otherwise.
func (s *support) next() (due <-chan time.Time, stop func()) {
	wait := probeEvery
	switch s.current() {
	case discovery.Served:
		return nil, func() {}
	case discovery.NotServed:
		wait = s.config.reprobe
	}
	timer := s.config.clock.NewTimer(wait)
	return timer.C(), func() { timer.Stop() }
}

// recheck probes on behalf of a write that was told the API is not there, if
// that was not done just now.
func (s *support) recheck(ctx context.Context) discovery.Support {
	if value, recent := s.recent(); recent {
		return value
	}
	value, asked := s.probe(ctx)
	if asked && value == discovery.Served {
		s.config.logger.Info("A write was told that events.k8s.io/v1 is not served, discovery says it is; " +
			"retrying: API servers may differ during an upgrade, or a proxy is in between")
	}
	return value
}

// recent is what is known, and whether it was asked for just now.
func (s *support) recent() (value discovery.Support, recent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value, s.config.recently(s.asked, probeEvery) && s.asking == nil
}

// probe asks the server; callers at the same time share one question. It
// returns what is known now, and whether this call was the one that asked.
func (s *support) probe(ctx context.Context) (value discovery.Support, asked bool) {
	s.mu.Lock()
	if asking := s.asking; asking != nil {
		s.mu.Unlock()
		select {
		case <-asking:
		case <-ctx.Done():
		}
		return s.current(), false
	}
	asking := make(chan struct{})
	s.asking = asking
	s.mu.Unlock()

	value, err := s.prober.Probe(ctx)

	s.mu.Lock()
	trouble := err != nil && s.err == nil && ctx.Err() == nil
	s.asking, s.err = nil, err
	// A write that ran out of time must not make the next one ask at once: that one
	// would run out of time, too. At a drain it was the asker that gave up.
	if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.asked = s.config.clock.Now()
	}
	changed := value != discovery.Unknown && value != s.value
	if changed {
		s.value, s.since = value, s.config.clock.Now()
	}
	value = s.value
	s.mu.Unlock()
	close(asking)
	if trouble {
		s.config.logger.Info("Cannot tell whether events.k8s.io/v1 is served; the API for Events stays as it was",
			"err", err, "known", value.String())
	}
	if changed {
		s.announce(value)
	}
	return value, true
}

func (s *support) announce(value discovery.Support) {
	if value == discovery.NotServed {
		s.config.logger.Info("The API server does not serve events.k8s.io/v1; Events go through core/v1",
			"askingAgainIn", s.config.reprobe)
	} else {
		s.config.logger.V(2).Info("Events go through events.k8s.io/v1")
	}
	s.changed()
	select {
	case s.poke <- struct{}{}:
	default:
	}
}
