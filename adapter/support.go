// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"sync"
	"time"

	"github.com/eventseries/eventseries/discovery"
)

const (
	// probeInterval is the shortest time between two probes. While nothing is known, it is
	// the time between them.
	probeInterval = 30 * time.Second
	// reprobeInterval is the time between probes of a server without the API.
	reprobeInterval = 5 * time.Minute
)

// support tracks whether events.k8s.io/v1 is served. A failed probe (401, 403, 5xx,
// timeout) never replaces an answer.
type support struct {
	config   *config
	prober   *discovery.Prober // nil: there is no server to ask, and value does not change
	onChange func()            // called without the lock

	asking turn

	mu     sync.Mutex // guards the rest
	value  discovery.Support
	since  time.Time // of value
	err    error     // of the last probe
	probed time.Time // when the last probe ended
}

func newSupport(c *config) *support {
	return &support{config: c, asking: newTurn(), since: c.clock.Now(), onChange: func() {}}
}

func (s *support) current() discovery.Support {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value
}

// fix sets the answer where there is no server to ask.
func (s *support) fix(value discovery.Support) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value = value
}

func (s *support) status() (value discovery.Support, since time.Time, lastError string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value, s.since, textOf(s.err)
}

// run probes until the API is served, and again when a write has found that this ended.
func (s *support) run(ctx context.Context) {
	for {
		switch s.current() {
		case discovery.Unknown:
			s.probe(ctx, probeInterval)
		case discovery.NotServed:
			s.probe(ctx, reprobeInterval)
		}
		select {
		case <-s.config.clock.After(probeInterval):
		case <-ctx.Done():
			return
		}
	}
}

// recheck returns the support after the answer to a write said that the API is not
// served. It probes, unless that was done within probeInterval.
func (s *support) recheck(ctx context.Context) discovery.Support {
	asked := s.probe(ctx, probeInterval)
	value := s.current()
	if asked && value == discovery.Served {
		s.config.logger.Info("Discovery lists events.k8s.io/v1, but the answer to a write says it is not served; "+
			"retrying. This is normal during an upgrade; otherwise check the proxies", "advice", "api-unstable")
	}
	return value
}

// probe asks the server, unless that was done within interval, and reports whether it did.
func (s *support) probe(ctx context.Context, interval time.Duration) bool {
	defer s.asking.take(ctx)()
	s.mu.Lock()
	recent := s.config.recently(s.probed, interval)
	s.mu.Unlock()
	if recent {
		return false
	}
	value, err := s.prober.Probe(ctx)
	s.mu.Lock()
	if !gaveUp(ctx) {
		s.probed = s.config.clock.Now()
	}
	failed := err != nil && s.err == nil && ctx.Err() == nil
	s.err = err
	changed := value != discovery.Unknown && value != s.value
	if changed {
		s.value, s.since = value, s.config.clock.Now()
	}
	known := s.value
	s.mu.Unlock()
	if failed {
		s.config.logger.Info("Cannot tell whether events.k8s.io/v1 is served; retrying. "+
			"The API for Events does not change", "advice", "discovery",
			"err", err, "known", known.String())
	}
	if changed {
		s.announce(value)
	}
	return true
}

func (s *support) announce(value discovery.Support) {
	if value == discovery.NotServed {
		s.config.logger.Info("The API server does not serve events.k8s.io/v1; Events go through core/v1",
			"advice", "api-not-served", "askingAgainIn", reprobeInterval)
	} else {
		s.config.logger.V(2).Info("Events go through events.k8s.io/v1")
	}
	s.onChange()
}
