// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/store"
)

// Sink is an in-memory events.Sink. It answers as a kube-apiserver answers requests through
// events.k8s.io/v1, with the same rules and the same errors. FailNext, LoseNext, Hold and
// SetLatency inject faults. Create one with [NewSink]; the zero value is not usable.
//
// All methods are safe for concurrent use. A Sink neither retains nor modifies its arguments, and
// the caller may modify the results.
type Sink struct {
	store *store.Store

	// mu guards the fields below. The lock of store may be taken while mu is held, but not the
	// other way round.
	mu        sync.Mutex
	calls     []Call
	countOnly bool
	counts    Counts
	script    []fault
	latency   time.Duration
	// hold is nil unless the Sink is held. Release closes it.
	hold chan struct{}
}

// NewSink returns an empty Sink whose Events never expire.
func NewSink() *Sink {
	return &Sink{store: store.New()}
}

// Create stores event and returns it as stored. It blocks while the Sink is held, and then for the
// latency set with SetLatency. If ctx ends in the meantime, nothing is stored, and Create returns
// the error of ctx.
func (s *Sink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return s.do(ctx, OpCreate, event, nil)
}

// Patch applies a strategic merge patch to the stored Event that has the namespace and the name of
// event, and returns the result. It blocks as Create does.
func (s *Sink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.do(ctx, OpPatch, event, patch)
}

func (s *Sink) do(ctx context.Context, op Op, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	if event == nil {
		return nil, errors.New("eventstest: nil event; pass the event to write")
	}
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

// answer returns the answer to a call: the error of a scripted fault, or the answer of the store.
// If it returns both an Event and an error, the Event was written but the answer is lost.
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
	r := store.Request{
		Via:       eventsv1.SchemeGroupVersion,
		Namespace: event.Namespace,
		Name:      event.Name,
	}
	if op == OpCreate {
		return s.store.Create(r, eventconv.ToCore(event))
	}
	return s.store.Patch(r, store.Patch{Type: types.StrategicMergePatchType, Body: patch})
}

// Events returns the stored Events, sorted by namespace and name.
func (s *Sink) Events() []eventsv1.Event { return s.store.Events() }

// Expire removes an Event as if its time to live had ended, and reports whether the Event existed.
func (s *Sink) Expire(namespace, name string) bool { return s.store.Expire(namespace, name) }

// SetTTL makes every Event, including those already stored, expire when the time ttl has passed
// since the last write that changed the Event. As on a real server, a patch that changes nothing
// does not extend the time. 0, the default, means that Events never expire.
func (s *Sink) SetTTL(ttl time.Duration) { s.store.SetTTL(ttl) }

// SetClock sets the clock for creation timestamps and the time to live. The default is the real
// clock, which in a testing/synctest bubble is the fake clock of the bubble.
func (s *Sink) SetClock(clock clock.PassiveClock) { s.store.SetClock(clock) }

// CountOnly makes the Sink only count its calls instead of keeping a list of them. Use it in tests
// with millions of calls.
func (s *Sink) CountOnly() {
	s.set(func() {
		s.countOnly = true
		s.calls = nil
	})
}

// Calls returns the calls that have been answered so far, in the order in which they took effect.
func (s *Sink) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Counts returns the numbers of answered calls, including the calls that failed.
func (s *Sink) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Log returns one line for each call that Calls returns, in a form suitable for golden files:
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

// fault is the scripted answer to one or more calls.
type fault struct {
	// left is the number of calls that the fault still applies to. If it is negative, the fault
	// applies to all calls.
	left int
	err  error
	// applies is true if the write takes effect although the call fails.
	applies bool
}

// FailNext makes the next n calls fail with err and have no effect. If n is negative, all calls
// fail until Heal is called. Faults that are already scripted come first. FailNext panics if err is
// nil.
func (s *Sink) FailNext(n int, err error) { s.plan(fault{left: n, err: err}) }

// LoseNext makes the next n calls take effect and then fail with err, as if the answer of the
// server had been lost. As with FailNext, a negative n means all calls until Heal is called, and
// faults that are already scripted come first.
func (s *Sink) LoseNext(n int, err error) {
	s.plan(fault{
		left:    n,
		err:     err,
		applies: true,
	})
}

// Heal removes all scripted faults. It neither releases the Sink nor changes its latency.
func (s *Sink) Heal() { s.set(func() { s.script = nil }) }

// Hold makes all calls block until Release is called or their context ends. If the Sink is held
// already, Hold has no effect.
func (s *Sink) Hold() {
	s.set(func() {
		if s.hold == nil {
			s.hold = make(chan struct{})
		}
	})
}

// Release unblocks the blocked calls and lets all later calls pass.
func (s *Sink) Release() {
	s.set(func() {
		if s.hold != nil {
			close(s.hold)
			s.hold = nil
		}
	})
}

// SetLatency makes every later call wait for d before it takes effect. If the context of the call
// ends in the meantime, the call has no effect.
func (s *Sink) SetLatency(d time.Duration) { s.set(func() { s.latency = d }) }

func (s *Sink) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *Sink) plan(f fault) {
	if f.err == nil {
		panic("eventstest: a fault without an error; pass the error to answer")
	}
	if f.left != 0 {
		s.set(func() { s.script = append(s.script, f) })
	}
}

// nextFault returns the fault for the next call and decrements its remaining number of calls. It
// returns nil if there is no fault. The caller must hold s.mu.
func (s *Sink) nextFault() *fault {
	if len(s.script) == 0 {
		return nil
	}
	f := s.script[0]
	s.script[0].left--
	if s.script[0].left == 0 {
		s.script = s.script[1:]
	}
	return &f
}

// wait blocks while the Sink is held, and then for its latency. If ctx ends in the meantime or has
// already ended, wait returns the error of ctx.
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
		select {
		case <-time.After(latency):
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Op is the operation of a [Call].
type Op string

// The operations of a Sink.
const (
	// OpCreate is the first write of an Event.
	OpCreate Op = "create"
	// OpPatch is a later write of an Event, usually of its series.
	OpPatch Op = "patch"
)

// Call describes one answered call of a [Sink].
type Call struct {
	// Op is OpCreate for a call of Create and OpPatch for a call of Patch.
	Op Op
	// Namespace and Name are the namespace and the name of the written Event.
	Namespace, Name string
	// Regarding and Reason are the regarding object and the reason of the Event that was passed to
	// the call.
	Regarding corev1.ObjectReference
	Reason    string
	// Count is the count in the series of the Event that was passed to the call, or 0 if it has no
	// series.
	Count int32
	// Patch is the body of the patch.
	Patch []byte
	// Err is the error that the call returned.
	Err error
	// Applied is true if the write was stored. If Applied is true and Err is not nil, the answer to
	// the write was lost.
	Applied bool
}

func newCall(op Op, event *eventsv1.Event, patch []byte, applied bool, err error) Call {
	call := Call{
		Op:        op,
		Namespace: event.Namespace,
		Name:      event.Name,
		Regarding: event.Regarding,
		Reason:    event.Reason,
		Patch:     append([]byte(nil), patch...),
		Err:       err,
		Applied:   applied,
	}
	if event.Series != nil {
		call.Count = event.Series.Count
	}
	return call
}

// String returns the line for the call in [Sink.Log]. It contains neither a generated name nor a
// time, so it is the same in every run.
func (c Call) String() string {
	var line strings.Builder
	fmt.Fprintf(&line, "%s %s/%s %s", c.Op, strings.ToLower(c.Regarding.Kind), c.Regarding.Name, c.Reason)
	if c.Count != 0 {
		fmt.Fprintf(&line, " count=%d", c.Count)
	}
	if c.Err != nil {
		fmt.Fprintf(&line, ": %s", briefly(c.Err))
	}
	if c.Err != nil && c.Applied {
		line.WriteString(" (applied)")
	}
	return line.String()
}

// briefly returns a short text for err. It omits the message of a Status, because the message
// contains the name of the Event.
func briefly(err error) string {
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	return err.Error()
}

// Counts holds the numbers of requests that reached the server, whatever the answers were.
type Counts struct {
	// Creates, Patches and Updates count requests, not occurrences. For example, a thousand
	// occurrences of one series need only a few Patches. The SDK never sends Updates.
	Creates, Patches, Updates int64
}

// add counts a request by its verb, and reports whether the request is a write.
func (c *Counts) add(verb string) bool {
	switch verb {
	case "create":
		c.Creates++
	case "patch":
		c.Patches++
	case "update":
		c.Updates++
	default:
		return false
	}
	return true
}
