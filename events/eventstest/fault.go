// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"time"
)

// fault is the scripted answer to one or more calls.
type fault struct {
	left    int
	err     error
	applies bool // the write takes effect all the same
}

// FailNext answers err to the next n calls, which take no effect. Scripted faults queue up behind each other, and n < 0
// means every call until Heal. A nil err panics: it would be no failure.
func (s *Sink) FailNext(n int, err error) { s.plan(fault{left: n, err: err}) }

// LoseNext applies the next n calls and then answers err to them, as if the server's answer had got lost. It queues up
// with FailNext.
func (s *Sink) LoseNext(n int, err error) { s.plan(fault{left: n, err: err, applies: true}) }

// Heal forgets every scripted fault. It neither releases the Sink nor changes its latency.
func (s *Sink) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = nil
}

// Hold makes calls block until Release, or until their context ends. Holding a held Sink changes nothing.
func (s *Sink) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hold == nil {
		s.hold = make(chan struct{})
	}
}

// Release lets the held calls and all later ones pass.
func (s *Sink) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hold != nil {
		close(s.hold)
		s.hold = nil
	}
}

// SetLatency makes every later call take d before it has its effect. A call whose context ends meanwhile has none.
func (s *Sink) SetLatency(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency = d
}

func (s *Sink) plan(f fault) {
	if f.err == nil {
		panic("eventstest: a fault without an error; pass the error to answer")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.left != 0 {
		s.script = append(s.script, f)
	}
}

// nextFault takes one call off the script. The caller holds s.mu.
func (s *Sink) nextFault() *fault {
	if len(s.script) == 0 {
		return nil
	}
	f := s.script[0]
	if s.script[0].left--; s.script[0].left == 0 {
		s.script = s.script[1:]
	}
	return &f
}

// wait lasts while the Sink is held and for its latency. It returns ctx's error if that ends, or has ended, before.
func (s *Sink) wait(ctx context.Context) error {
	s.mu.Lock()
	hold, latency := s.hold, s.latency
	s.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	if latency > 0 && ctx.Err() == nil {
		timer := time.NewTimer(latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}
