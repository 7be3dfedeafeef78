// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net/http"
	"sync"
	"time"

	"k8s.io/client-go/util/connrotation"
)

// Transport is an http.RoundTripper. It is safe for concurrent use.
type Transport struct {
	base   *http.Transport
	dialer *connrotation.Dialer // remembers what it has dialed

	mu    sync.Mutex // guards the rest
	rules []*Rule
	log   []Exchange
}

// New returns a transport over base, and owns base, which must have a DialContext.
func New(base *http.Transport) *Transport {
	t := &Transport{base: base, dialer: connrotation.NewDialer(base.DialContext)}
	base.DialContext = t.dialer.DialContext
	return t
}

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

// Close closes all connections, which ends their goroutines. To close those that are idle would not be enough, because
// one on which a request was given up a moment ago is not idle yet.
func (t *Transport) Close() {
	t.dialer.CloseAll()
	t.base.CloseIdleConnections()
}
