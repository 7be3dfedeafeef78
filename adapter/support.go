// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
)

// support knows whether events.k8s.io/v1 is served. An answer that is none (a
// 401, 403, 5xx, timeout) never replaces one that was given.
type support struct {
	config  *config
	prober  *discovery.Prober
	changed func(discovery.Support) // called without the lock
	poke    chan struct{}           // the answer changed: wait anew

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
		changed: func(discovery.Support) {},
	}
}

func (s *support) current() discovery.Support {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}

// run probes at the start, and again as long as the answer may get better.
func (s *support) run(ctx context.Context) {
	for {
		value := s.probe(ctx)
		wait := probeEvery
		if value == discovery.NotServed {
			wait = s.config.reprobe
		}
		timer := s.config.clock.NewTimer(wait)
		due := timer.C()
		if value == discovery.Served {
			due = nil // until a write is told otherwise
		}
		select {
		case <-due:
		case <-s.poke:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// recheck probes on behalf of a write that was told the API is not there, if
// that was not done just now.
func (s *support) recheck(ctx context.Context) discovery.Support {
	s.mu.Lock()
	recent := !s.asked.IsZero() && s.config.clock.Since(s.asked) < probeEvery && s.asking == nil
	value := s.value
	s.mu.Unlock()
	if recent {
		return value
	}
	return s.probe(ctx)
}

// probe asks the server; callers at the same time share one question.
func (s *support) probe(ctx context.Context) discovery.Support {
	s.mu.Lock()
	if asking := s.asking; asking != nil {
		s.mu.Unlock()
		select {
		case <-asking:
		case <-ctx.Done():
		}
		return s.current()
	}
	asking := make(chan struct{})
	s.asking = asking
	s.mu.Unlock()

	value, err := s.prober.Probe(ctx)

	s.mu.Lock()
	s.asking, s.asked, s.err = nil, s.config.clock.Now(), err
	changed := value != discovery.Unknown && value != s.value
	if changed {
		s.value, s.since = value, s.asked
	}
	value = s.value
	s.mu.Unlock()
	close(asking)
	if changed {
		s.announce(value)
	}
	return value
}

func (s *support) announce(value discovery.Support) {
	if value == discovery.NotServed {
		s.config.logger.Info("The API server does not serve events.k8s.io/v1; Events go through core/v1",
			"askingAgainIn", s.config.reprobe)
	} else {
		s.config.logger.V(2).Info("Events go through events.k8s.io/v1")
	}
	s.changed(value)
	select {
	case s.poke <- struct{}{}:
	default:
	}
}
