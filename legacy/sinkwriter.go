// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
	"github.com/eventseries/eventseries/internal/writer"
)

// sinkWriter brings one sink up to date. The correlator decides what to send,
// the SDK's writer when and how often.
type sinkWriter struct {
	client   apiclient.CoreWriter
	timeout  time.Duration // of one request
	clock    *uniqueClock
	backlog  *backlog
	writer   *writer.Writer[*objectQueue]
	log      *faultLog
	requests *broadcast.Handlers[events.Request]
	onDrop   func(drop)
	onEmpty  func(*sinkWriter) // called once, when a closed backlog is empty

	correlator *correlator

	cancel context.CancelFunc // of the requests under way
	stop   chan struct{}      // ends the workers; closed once, by detach or Drain

	state writer.State[*objectQueue] // at the end of a drain
}

// maxUnsent bounds the occurrences that are dropped before the one that is sent. They
// take a few microseconds each.
const maxUnsent = 100

// attempt does one write of q: begin, correlate, send, settle, release.
func (s *sinkWriter) attempt(ctx context.Context, q *objectQueue) (v request.Verdict, next request.Class) {
	o, returned := s.backlog.begin(q), false
	defer func() {
		if !returned {
			s.goexit(q, o)
		}
	}()
	for range maxUnsent {
		if o == nil || s.correlate(o) {
			break
		}
		o = s.backlog.begin(q)
	}
	v, next = s.write(ctx, q, o)
	returned = true
	return v, next
}

// write sends o. A Create for which q was not queued is queued again, because only the
// writer knows whether its namespace accepts creates.
func (s *sinkWriter) write(ctx context.Context, q *objectQueue, o *occurrence) (request.Verdict, request.Class) {
	if o == nil || !s.correlate(o) || s.refused(o) || o.op == request.Create && q.class.Op() != request.Create {
		return request.Verdict{Action: request.Skip}, s.release(q)
	}
	v, err := s.send(ctx, o)
	s.log.Answered(v)
	if err != nil && ctx.Err() == nil {
		v.Error = usercode.Sprintf("%.1000v", err)
	}
	s.settle(o, v, err)
	return v, s.release(q)
}

// goexit settles a write whose sink has ended the goroutine, as t.FailNow does in a
// test. It is unknown how far the sink came: no answer. The writer queues q again, for
// what it was queued for.
func (s *sinkWriter) goexit(q *objectQueue, o *occurrence) {
	s.log.Goexit("sink")
	s.settle(o, request.NoAnswer, broadcast.ErrGoexit)
	s.release(q)
}

// refuse drops the head of q, if that waits for its Create in a terminating namespace.
func (s *sinkWriter) refuse(q *objectQueue, v request.Verdict) {
	if o := s.backlog.begin(q); o != nil && o.op == request.Create {
		s.drop(o, v.Reason, nil)
	}
	if class := s.release(q); class != request.NoWrite {
		s.writer.Enqueue(q, q.namespace, class)
	}
}

// release ends the attempt on q and returns what q needs next.
func (s *sinkWriter) release(q *objectQueue) request.Class {
	next, last := s.backlog.release(q)
	if last {
		s.onEmpty(s)
	}
	return next
}

// correlate asks the correlator about o unless it did already, and reports
// whether there is something to send.
func (s *sinkWriter) correlate(o *occurrence) bool {
	if o.asked() {
		return true
	}
	answer, err := s.correlator.ask(o.recorded)
	switch {
	case err != nil:
		s.drop(o, stats.Invalid, err)
		return false
	case answer.event == nil:
		s.drop(o, stats.SpamFilter, nil)
		return false
	}
	o.answer, o.op = answer, request.Create
	if answer.event.Count > 1 {
		o.op = request.Patch
	}
	return true
}

// send makes one request and classifies the answer. If it is unknown whether the write
// was applied, the next attempt sends the same bytes: the name and the count in them
// are absolute.
func (s *sinkWriter) send(ctx context.Context, o *occurrence) (request.Verdict, error) {
	if apiclient.TakesContext(s.client) { // a timer costs as much as the rest of this
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	var stored *corev1.Event
	var err error
	event, began := o.answer.event, time.Now()
	o.attempts++
	panicked := usercode.Call(func() {
		if o.op == request.Patch {
			stored, err = s.client.Patch(ctx, event, o.answer.patch)
		} else {
			event.ResourceVersion = "" // the server refuses one on creation
			stored, err = s.client.Create(ctx, event)
		}
	})
	if panicked != nil { // it is unknown how far it came: no answer
		err = panicked
		s.log.Panic("sink", panicked)
	}
	if s.requests.Any() {
		s.requests.Call(events.Request{
			Operation: o.op.String(), API: corev1.SchemeGroupVersion.String(), Code: request.Code(o.op, err),
			Duration: time.Since(began), Attempt: o.attempts,
		})
	}
	if err == nil && stored != nil {
		s.correlator.learn(&o.answer, stored)
	}
	// After an expiry the Event may exist again, and not from an earlier attempt.
	recreates := !o.unconfirmed && o.answer.patch != nil
	return request.Classify(request.Request{Op: o.op, Unconditional: true, Recreates: recreates}, err), err
}

// settle counts o as recorded or dropped, or prepares the next attempt.
func (s *sinkWriter) settle(o *occurrence, v request.Verdict, err error) {
	switch v.Action {
	case request.Stored:
		s.backlog.recorded(o, o.op)
	case request.Recreate:
		o.op = request.Create
		s.refused(o)
	case request.Drop:
		if v.Gate == request.Creates {
			s.backlog.terminating.add(o.namespace(), s.clock.Now())
		}
		s.drop(o, v.Reason, err)
	default:
		if v.Exists {
			o.op = request.Patch
		}
		s.backlog.retry(o, v.Ambiguous)
		if o.expired(s.clock.Now()) {
			s.drop(o, stats.TooOld, err)
			return
		}
		s.log.retried(o.recorded, v, err)
	}
}

// refused drops o, and reports that, if it is a Create in a terminating namespace.
func (s *sinkWriter) refused(o *occurrence) bool {
	if o.op != request.Create || !s.backlog.terminating.refused(o.recorded) {
		return false
	}
	s.drop(o, stats.NamespaceGone, nil)
	return true
}

func (s *sinkWriter) drop(o *occurrence, reason stats.Reason, err error) {
	if s.backlog.drop(o, reason) {
		d := drop{cause: reason, recorded: o.recorded, err: err}
		s.log.dropped(d)
		s.onDrop(d)
	}
}

// heldBack is how long the writer holds back creates after such an answer.
const heldBack = time.Minute

// maxTerminating bounds the namespaces that are remembered. Forgetting one costs a
// request.
const maxTerminating = 1024

// terminatingNamespaces remembers which namespaces refused a create because they are
// being deleted, and when. One such answer is valid for all that was recorded by then,
// but not for later occurrences: the namespace may have been created again. The gate
// of the writer admits a create after a minute.
type terminatingNamespaces struct {
	mu sync.Mutex // guards at
	at map[string]time.Time
}

func (n *terminatingNamespaces) add(namespace string, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at == nil || len(n.at) >= maxTerminating {
		n.at = map[string]time.Time{}
	}
	n.at[namespace] = now
}

// refused reports whether the answer to another create is valid for r, too.
func (n *terminatingNamespaces) refused(r *recorded) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	at, ok := n.at[r.namespace()]
	return ok && r.at.Before(at)
}

// mayRefuse reports whether the namespace of r may have refused creates when it was
// recorded.
func (n *terminatingNamespaces) mayRefuse(r *recorded) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	at, ok := n.at[r.namespace()]
	return ok && r.at.Before(at.Add(heldBack))
}

// sinkWatch is what StartRecordingToSink returns: the means to stop it.
type sinkWatch struct {
	writer *sinkWriter
	once   sync.Once
	result chan watch.Event // nothing is ever sent
}

// Stop ends the recording to the sink. What waits is written in the background.
func (w *sinkWatch) Stop() {
	w.once.Do(func() {
		close(w.result)
		if w.writer.backlog.close() {
			w.writer.onEmpty(w.writer)
		}
	})
}

// ResultChan returns a channel that Stop closes. Events go to the sink only.
func (w *sinkWatch) ResultChan() <-chan watch.Event { return w.result }
