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

// Sink is an in-memory events.Sink that answers as a kube-apiserver answers requests through events.k8s.io/v1: the same
// rules, the same storage, the same errors. Faults are scripted with FailNext, LoseNext, Hold and SetLatency.
//
// All methods are safe for concurrent use. Nothing passed in is kept or changed, and what is handed out is the
// caller's. The zero value is not usable, see [NewSink].
type Sink struct {
	store *store.Store

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
	s.set(func() {
		s.countOnly = true
		s.calls = nil
	})
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
func (s *Sink) LoseNext(n int, err error) {
	s.plan(fault{
		left:    n,
		err:     err,
		applies: true,
	})
}

// Heal forgets every scripted fault. It neither releases the Sink nor changes its latency.
func (s *Sink) Heal() { s.set(func() { s.script = nil }) }

// Hold makes calls block until Release, or until their context ends. Holding a held Sink changes nothing.
func (s *Sink) Hold() {
	s.set(func() {
		if s.hold == nil {
			s.hold = make(chan struct{})
		}
	})
}

// Release lets the held calls and all later ones pass.
func (s *Sink) Release() {
	s.set(func() {
		if s.hold != nil {
			close(s.hold)
			s.hold = nil
		}
	})
}

// SetLatency makes every later call take d before it has its effect. A call whose context ends meanwhile has none.
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

// nextFault takes one call off the script. The caller holds s.mu.
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
	// OpPatch is every later one, mostly of its series.
	OpPatch Op = "patch"
)

// Call is one answered call to a [Sink].
type Call struct {
	// Op says which method was called.
	Op Op
	// Namespace and Name are those of the Event written.
	Namespace, Name string
	// Regarding and Reason are those of the Event passed in.
	Regarding corev1.ObjectReference
	Reason    string
	// Count is the series count of the Event passed in, 0 without one.
	Count int32
	// Patch is the body of a patch.
	Patch []byte
	// Err is what the call returned.
	Err error
	// Applied reports whether the write was stored. With an Err, it is a write whose answer was lost.
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

// String is the line of the call in [Sink.Log]. It contains no generated name and no time.
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

// briefly leaves out a Status' message, because it contains the Event's name.
func briefly(err error) string {
	if reason := apierrors.ReasonForError(err); reason != metav1.StatusReasonUnknown {
		return string(reason)
	}
	return err.Error()
}

// Counts counts requests that reached the server, whatever the answer was.
type Counts struct {
	// Creates, Patches and Updates are requests, not occurrences: a thousand repeats are a few Patches. The SDK never
	// sends Updates.
	Creates, Patches, Updates int64
}

// add counts a request by its verb, and reports whether that is one of a write.
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
