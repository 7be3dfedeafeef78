// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
)

// probeInterval is the shortest time between two probes for writes that were
// refused, and the wait after a probe without an answer.
const probeInterval = 30 * time.Second

// support tracks whether events.k8s.io/v1 is served. A failed probe (401, 403, 5xx,
// timeout) never replaces an answer.
type support struct {
	config   *config
	prober   *discovery.Prober // nil: there is no server to ask, and value does not change
	onChange func()            // called without the lock
	changed  chan struct{}     // holds a token after a change, for run

	mu    sync.Mutex // guards the rest
	value discovery.Support
	since time.Time // of value
	err   error     // of the last probe
	probe singleFlight
}

func newSupport(c *config) *support {
	return &support{
		config: c, changed: make(chan struct{}, 1), since: c.clock.Now(), onChange: func() {},
	}
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

func (s *support) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Status{Support: s.value, Since: s.since, LastError: s.err}
}

// run probes at the start, unless an earlier Flush did. It probes again until the API
// is served.
func (s *support) run(ctx context.Context) {
	if _, fresh := s.fresh(); !fresh {
		s.ask(ctx)
	}
	for {
		select {
		case <-s.nextProbe():
			s.ask(ctx)
		case <-s.changed:
		case <-ctx.Done():
			return
		}
	}
}

// nextProbe receives when the next probe is due. It never does while the API is
// served: a write finds out if that ends.
func (s *support) nextProbe() <-chan time.Time {
	switch s.current() {
	case discovery.Served:
		return nil
	case discovery.NotServed:
		return s.config.clock.After(s.config.reprobe)
	default:
		return s.config.clock.After(probeInterval)
	}
}

// recheck returns the support after the answer to a write said that the API is not
// served. It probes, unless that was done within probeInterval.
func (s *support) recheck(ctx context.Context) discovery.Support {
	if value, fresh := s.fresh(); fresh {
		return value
	}
	value, asked := s.ask(ctx)
	if asked && value == discovery.Served {
		s.config.logger.Info("Discovery lists events.k8s.io/v1, but the answer to a write says it is not served; "+
			"retrying. This is normal during an upgrade; otherwise check the proxies", "advice", "api-unstable")
	}
	return value
}

// fresh returns the support, and whether it was probed within probeInterval.
func (s *support) fresh() (value discovery.Support, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.value, s.config.recently(s.probe.last, probeInterval) && s.probe.running == nil
}

// ask probes the server, or waits for the caller that does. It returns the support,
// and whether this caller probed.
func (s *support) ask(ctx context.Context) (value discovery.Support, asked bool) {
	s.mu.Lock()
	var err error
	asked = s.probe.do(ctx, &s.mu, s.config.clock, func() { value, err = s.prober.Probe(ctx) })
	var failed, changed bool
	if asked {
		failed = err != nil && s.err == nil && ctx.Err() == nil
		s.err = err
		if changed = value != discovery.Unknown && value != s.value; changed {
			s.value, s.since = value, s.config.clock.Now()
		}
	}
	value = s.value
	s.mu.Unlock()
	if failed {
		s.config.logger.Info("Cannot tell whether events.k8s.io/v1 is served; retrying. "+
			"The API for Events does not change", "advice", "discovery",
			"err", err, "known", value.String())
	}
	if changed {
		s.announce(value)
	}
	return value, asked
}

func (s *support) announce(value discovery.Support) {
	if value == discovery.NotServed {
		s.config.logger.Info("The API server does not serve events.k8s.io/v1; Events go through core/v1",
			"advice", "api-not-served",
			"askingAgainIn", s.config.reprobe)
	} else {
		s.config.logger.V(2).Info("Events go through events.k8s.io/v1")
	}
	s.onChange()
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// singleFlight lets concurrent callers share one request. Its owner's lock guards
// it. The zero value is ready.
type singleFlight struct {
	running chan struct{} // closed when the request under way ends; nil if none is
	last    time.Time     // the end of the last request
}

// do calls request, or waits for the caller that does, until ctx ends. It reports
// whether it called request. The owner holds mu, which do releases while it waits.
func (f *singleFlight) do(ctx context.Context, mu *sync.Mutex, clk clock.PassiveClock, request func()) bool {
	if running := f.running; running != nil {
		mu.Unlock()
		defer mu.Lock()
		select {
		case <-running:
		case <-ctx.Done():
		}
		return false
	}
	running := make(chan struct{})
	f.running = running
	mu.Unlock()
	request()
	mu.Lock()
	// A timeout counts, because the next write would only time out as well. At a drain
	// the caller gave up, and another one may ask.
	if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		f.last = clk.Now()
	}
	f.running = nil
	close(running)
	return true
}
