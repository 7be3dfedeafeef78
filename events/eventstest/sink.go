// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/store"
)

// Sink is an in-memory events.Sink that answers as a kube-apiserver answers requests through events.k8s.io/v1: the same
// rules, the same storage, the same errors. Faults are scripted with FailNext, LoseNext, Hold and SetLatency.
//
// All methods are safe for concurrent use. Nothing passed in is kept or changed, and what is handed out is the
// caller's. The zero value is not usable, see [NewSink].
type Sink struct {
	store   *store.Store
	written accesses

	mu        sync.Mutex // guards everything below; taken before the store's
	calls     []Call
	countOnly bool
	counts    Counts
	script    []fault
	latency   time.Duration
	hold      chan struct{} // nil: calls pass; closed by Release
}

// NewSink returns an empty Sink whose Events never expire.
func NewSink() *Sink {
	return &Sink{store: store.New()}
}

// Create stores event and returns it as stored. It blocks while the Sink is held and for its latency; if ctx ends
// before, nothing is stored and the error is ctx's.
func (s *Sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return s.do(ctx, OpCreate, event, nil)
}

// Patch applies a strategic merge patch to the stored Event of event's namespace and name and returns the result. It
// blocks like Create.
func (s *Sink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.do(ctx, OpPatch, event, patch)
}

func (s *Sink) do(ctx context.Context, op Op, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	if event == nil {
		return nil, errors.New("eventstest: nil event; pass the event to write")
	}
	s.written.add(string(op), eventsv1.GroupName, event.Namespace)
	err := s.wait(ctx)

	s.mu.Lock()
	defer s.mu.Unlock()
	var stored *corev1.Event
	if err == nil {
		stored, err = s.answer(op, event, patch)
	}
	applied := stored != nil
	if err != nil {
		stored = nil
	}
	s.counts.add(string(op))
	if !s.countOnly {
		s.calls = append(s.calls, newCall(op, event, patch, applied, err))
	}
	if stored == nil {
		return nil, err
	}
	return eventconv.FromCore(stored), nil
}

// answer is the scripted fault's or the server's. An error together with an Event is a write whose answer got lost.
func (s *Sink) answer(op Op, event *eventsv1.Event, patch []byte) (*corev1.Event, error) {
	fault := s.nextFault()
	if fault != nil && !fault.applies {
		return nil, fault.err
	}
	stored, err := s.request(op, event, patch)
	if fault != nil {
		err = fault.err
	}
	return stored, err
}

func (s *Sink) request(op Op, event *eventsv1.Event, patch []byte) (*corev1.Event, error) {
	r := store.Request{Via: eventsv1.SchemeGroupVersion, Namespace: event.Namespace, Name: event.Name}
	if op == OpCreate {
		return s.store.Create(r, eventconv.ToCore(event))
	}
	return s.store.Patch(r, store.Patch{Type: types.StrategicMergePatchType, Body: patch})
}

// Events returns what is stored, sorted by namespace and name.
func (s *Sink) Events() []eventsv1.Event { return s.store.Events() }

// Expire removes an Event as if its time to live had ended, and reports whether it was there.
func (s *Sink) Expire(namespace, name string) bool { return s.store.Expire(namespace, name) }

// SetTTL makes Events expire ttl after their last write that changed something; as on a real server, a patch without
// effect does not renew it. 0, the default, means never. It holds for what is stored already, too.
func (s *Sink) SetTTL(ttl time.Duration) { s.store.SetTTL(ttl) }

// SetClock sets what creation timestamps and the time to live are measured with, by default the real time (which inside
// a testing/synctest bubble is the bubble's).
func (s *Sink) SetClock(clock clock.PassiveClock) { s.store.SetClock(clock) }

// CountOnly makes the Sink keep no list of calls from now on, only their counts: for millions of them.
func (s *Sink) CountOnly() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.countOnly, s.calls = true, nil
}

// Calls returns the calls answered so far, in the order in which they took effect.
func (s *Sink) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Counts returns how many calls were answered, also those answered with an error.
func (s *Sink) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Log renders Calls for a golden, one line each:
//
//	create pod/web Killing
//	patch pod/web Killing count=2
//	patch pod/web Killing count=3: ServiceUnavailable
//	patch pod/web Killing count=3: context deadline exceeded (applied)
func (s *Sink) Log() string {
	var log strings.Builder
	for _, call := range s.Calls() {
		log.WriteString(call.String())
		log.WriteByte('\n')
	}
	return log.String()
}
