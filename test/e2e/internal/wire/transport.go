// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net/http"
	"sync"
	"time"
)

// Transport is an http.RoundTripper. It is safe for concurrent use.
type Transport struct {
	base *http.Transport

	mu    sync.Mutex // guards the rest
	rules []*Rule
	log   []Exchange
}

// New returns a transport over base, and owns base.
func New(base *http.Transport) *Transport { return &Transport{base: base} }

// RoundTrip sends req, or does what the first matching rule says.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	send := t.base.RoundTrip
	if fault := t.fault(req); fault != nil {
		send = func(req *http.Request) (*http.Response, error) { return fault(req, t.base) }
	}
	res, err := send(req)
	e := exchange(req)
	e.At = time.Now()
	if err == nil {
		e.Status = res.StatusCode
	}
	t.mu.Lock()
	t.log = append(t.log, e)
	t.mu.Unlock()
	return res, err
}

// fault returns that of the first rule for req.
func (t *Transport) fault(req *http.Request) Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.rules {
		if r.match(req) {
			return r.fault
		}
	}
	return nil
}

// Add adds a rule after the existing ones.
func (t *Transport) Add(r *Rule) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rules = append(t.rules, r)
}

// Heal removes all rules. It does not affect requests in flight.
func (t *Transport) Heal() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rules = nil
}

// Seen returns the finished exchanges that match, in the order of their answers.
func (t *Transport) Seen(match func(Exchange) bool) []Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	var seen []Exchange
	for _, e := range t.log {
		if match(e) {
			seen = append(seen, e)
		}
	}
	return seen
}

// CloseIdleConnections ends the goroutines of connections that are not in use.
func (t *Transport) CloseIdleConnections() { t.base.CloseIdleConnections() }
