// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
	"github.com/eventseries/eventseries/internal/writer"
)

// outlet brings one sink up to date: client-go's correlator decides what to
// send, the SDK's writer when and how often.
type outlet struct {
	target   target
	timeout  time.Duration // of one request
	clock    *uniqueClock
	backlog  *backlog
	writer   *writer.Writer[*lane]
	log      *faultLog
	refusals refusals
	lost     func(drop)    // tells the drop handler
	empty    func(*outlet) // called once, when the last lane of a closed outlet is gone

	correlator *record.EventCorrelator
	// correlating lets one goroutine at a time into the correlator: the caller's
	// own key functions may rely on it, client-go has one goroutine per sink. It
	// guards nothing else.
	correlating sync.Mutex

	cancel context.CancelFunc // cuts off the requests under way
	stop   chan struct{}      // ends the workers; closed once, by retire or Drain
}

// attempt does the next write of l, and gives l back in any case.
func (s *outlet) attempt(ctx context.Context, l *lane) (v request.Verdict, next request.Op) {
	o, returned := s.backlog.begin(l), false
	defer func() {
		if !returned {
			s.goexit(l, o)
		}
	}()
	v, next = s.write(ctx, l, o)
	returned = true
	return v, next
}

// write sends o. An occurrence that turns out to need the other operation than l
// was queued for goes back to the queue, because only the writer knows whether its
// namespace takes creates at the moment.
func (s *outlet) write(ctx context.Context, l *lane, o *occurrence) (request.Verdict, request.Op) {
	if o == nil || !s.correlate(o) || s.refused(o) || o.op != l.op {
		return request.Verdict{Action: request.Skip}, s.release(l)
	}
	v, err := s.send(ctx, o)
	s.settle(o, v, err)
	return v, s.release(l)
}

// goexit gives l back when a sink ends the goroutine, as t.FailNow does in a test.
// Nobody knows how far it came: as if it had not answered. The writer queues l
// again, for what it was queued for.
func (s *outlet) goexit(l *lane, o *occurrence) {
	s.log.Goexit("sink")
	s.settle(o, request.Verdict{Action: request.Retry, Gate: request.Namespace, Ambiguous: true}, broadcast.ErrGoexit)
	s.release(l)
}

// refuse takes the answer that another create of the namespace got.
func (s *outlet) refuse(l *lane, v request.Verdict) {
	if o := s.backlog.begin(l); o != nil && o.op == request.Create {
		s.drop(o, v.Reason, nil)
	}
	if op := s.release(l); op != request.Nothing {
		s.writer.Enqueue(l, l.namespace, op)
	}
}

// release gives l back and returns what it needs next.
func (s *outlet) release(l *lane) request.Op {
	next, last := s.backlog.release(l)
	if last {
		s.empty(s)
	}
	return next
}

// correlate asks the correlator about o unless it did already, and reports
// whether there is something to send.
func (s *outlet) correlate(o *occurrence) bool {
	if o.result != nil {
		return true
	}
	result, err := s.ask(*o.event)
	switch {
	case err != nil:
		s.drop(o, stats.Invalid, err)
		return false
	case result.Skip:
		s.drop(o, stats.SpamFilter, nil)
		return false
	}
	restore(result.Event, o.event)
	o.result, o.op = result, request.Create
	if result.Event.Count > 1 {
		o.op = request.Patch
	}
	return true
}

func (s *outlet) ask(event corev1.Event) (result *record.EventCorrelateResult, err error) {
	s.correlating.Lock()
	defer s.correlating.Unlock()
	panicked := usercode.Call(func() { result, err = s.correlator.EventCorrelate(&event) })
	if panicked != nil {
		return nil, fmt.Errorf("legacy: a function of the correlator's options %w", panicked)
	}
	return result, err
}

// restore gives an aggregate event, which client-go builds anew, what it leaves
// out. An event that was only counted has all of it.
func restore(event, recorded *corev1.Event) {
	event.Annotations = recorded.Annotations
	event.Action = recorded.Action
	event.Related = recorded.Related
	event.ReportingController = recorded.ReportingController
	event.ReportingInstance = recorded.ReportingInstance
}

// send writes o and judges the answer. After an answer that says nothing about
// whether the write was applied, the next try sends the same bytes: the name
// and the count in them are absolute.
func (s *outlet) send(ctx context.Context, o *occurrence) (request.Verdict, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var stored *corev1.Event
	var err error
	event := o.result.Event
	panicked := usercode.Call(func() {
		if o.op == request.Patch {
			stored, err = s.target.patch(ctx, event, o.result.Patch)
		} else {
			event.ResourceVersion = "" // the server refuses one on creation
			stored, err = s.target.create(ctx, event)
		}
	})
	if panicked != nil { // nobody knows how far it came: as if it had not answered
		err = panicked
		s.log.Panic("sink", panicked)
	}
	if err == nil && stored != nil {
		s.correlator.UpdateState(stored)
	}
	// After an expiry the Event may be there again, and not by an attempt of ours.
	recreates := err != nil && !o.unsure && o.result.Patch != nil
	return request.Classify(request.Request{Op: o.op, Unconditional: true, Recreates: recreates}, err), err
}

// settle books what the answer v to o means.
func (s *outlet) settle(o *occurrence, v request.Verdict, err error) {
	switch v.Action {
	case request.Stored:
		s.backlog.recorded(o, o.op)
	case request.Recreate:
		o.op = request.Create
		s.refused(o)
	case request.Drop:
		if v.Gate == request.Creates {
			s.refusals.add(o.event.Namespace, s.clock.Now())
		}
		s.drop(o, v.Reason, err)
	default:
		if v.Exists {
			o.op = request.Patch
		}
		s.backlog.retry(o, v.Ambiguous)
		if expired(o.event, s.clock.Now()) {
			s.drop(o, stats.TooOld, err)
			return
		}
		s.log.retried(o.event, v.Action, err)
	}
}

// refused drops o if it has to be created in a namespace that takes no creates.
func (s *outlet) refused(o *occurrence) bool {
	if o.op != request.Create || !s.refusals.covers(o.event) {
		return false
	}
	s.drop(o, stats.NamespaceGone, nil)
	return true
}

func (s *outlet) drop(o *occurrence, reason stats.Reason, err error) {
	if s.backlog.drop(o, reason) {
		l := drop{reason: reason, event: o.event, err: err}
		s.log.dropped(l)
		s.lost(l)
	}
}
