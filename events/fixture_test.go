// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

const controller = "example.com/test"

func newPod(name string) *corev1.Pod { return fixture.Pod("default", name) }

func long(n int) string { return strings.Repeat("x", n) }

// rig is a broadcaster that writes to a fake server, with its log and its drops.
type rig struct {
	*testing.T
	sink  *server
	log   *testlog.Log
	drops *drops
	b     *events.Broadcaster
	rec   *events.Recorder
}

type options = []events.Option

// inBubble runs test in a bubble with a started broadcaster, and then ends the broadcaster. It
// checks that the counters add up (I1) and that the handler got all drops.
func inBubble(t *testing.T, opts options, test func(r *rig)) {
	t.Helper()
	inBubbleUnstarted(t, opts, func(r *rig) {
		r.start(context.Background())
		test(r)
	})
}

// subtest is inBubble as a subtest of t.
func subtest(t *testing.T, name string, opts options, test func(r *rig)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { inBubble(t, opts, test) })
}

func subtestUnstarted(t *testing.T, name string, opts options, test func(r *rig)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { inBubbleUnstarted(t, opts, test) })
}

func inBubbleUnstarted(t *testing.T, opts options, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{
			T: t, sink: &server{Sink: eventstest.NewSink(), began: time.Now()}, log: &testlog.Log{}, drops: &drops{},
		}
		own := options{events.WithLogger(klog.New(r.log)), events.WithDropHandler(r.drops.add)}
		r.b = events.NewBroadcaster(r.sink, append(own, opts...)...)
		r.rec = newRecorder(r.b)
		defer func() {
			r.b.Shutdown()
			r.checkDropped(r.drops.counts())
		}()
		test(r)
	})
}

func (r *rig) start(ctx context.Context) {
	r.Helper()
	if err := r.b.Start(ctx); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) record(n int, name string) { record(r.rec, n, name) }

// say records one occurrence about the pod web with the given reason.
func (r *rig) say(reason, note string, args ...any) {
	r.rec.Eventf(newPod("web"), nil, "Normal", reason, "Kill", note, args...)
}

func (r *rig) flush() {
	r.Helper()
	fixture.Flush(r, r.b)
}

func (r *rig) drain(timeout time.Duration) *events.AbandonedError {
	r.Helper()
	return fixture.Drain(r, r.b, timeout)
}

// only returns the stored Event, and fails the test unless there is exactly one.
func (r *rig) only() eventsv1.Event {
	r.Helper()
	return only(r, r.sink.Sink)
}

// stored returns the counts of the stored Events. The keys are the results of the function of, such
// as the reasons.
func (r *rig) stored(text func(*eventsv1.Event) string) map[string]int64 {
	counts := map[string]int64{}
	for _, e := range r.sink.Events() {
		counts[text(&e)] += count(&e)
	}
	return counts
}

func byReason(e *eventsv1.Event) string { return e.Reason }

func byObject(e *eventsv1.Event) string { return e.Regarding.Name }

// checkDropped compares the numbers of drops, and checks invariant I1. want need not have the
// reasons with 0.
func (r *rig) checkDropped(want map[events.DropReason]int64) {
	r.Helper()
	s := r.b.Stats()
	fixture.CheckConserved(r, s)
	maps.DeleteFunc(s.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
	r.diff("dropped", want, s.Dropped)
}

// diff reports the difference between want and got, which what describes. Nil and empty are equal.
func (r *rig) diff(what string, want, got any) {
	r.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		r.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkLines checks that the log has one new line for each element of want, and that the line
// contains all parts of it.
func (r *rig) checkLines(want ...[]string) {
	r.Helper()
	lines := r.log.Take()
	if len(lines) != len(want) {
		r.Errorf("%d lines, want %d:\n%s", len(lines), len(want), strings.Join(lines, "\n"))
		return
	}
	for i, parts := range want {
		checkLine(r.T, lines[i:i+1], parts...)
	}
}

type answer = func(context.Context) (*eventsv1.Event, error)

// server is a fake server that notes its calls and their times. around, if set, answers each call,
// and may call store for it.
type server struct {
	*eventstest.Sink
	began   time.Time
	around  func(ctx context.Context, op string, e *eventsv1.Event, store answer) (*eventsv1.Event, error)
	flushed func(context.Context) error

	mu    sync.Mutex // guards the rest
	lines []string
	times []time.Duration
}

func (s *server) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.do(ctx, "create", e, func(ctx context.Context) (*eventsv1.Event, error) { return s.Sink.Create(ctx, e) })
}

func (s *server) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return s.do(ctx, "patch", e, func(ctx context.Context) (*eventsv1.Event, error) { return s.Sink.Patch(ctx, e, patch) })
}

func (s *server) Flush(ctx context.Context) error {
	if s.flushed == nil {
		return nil
	}
	return s.flushed(ctx)
}

func (s *server) do(ctx context.Context, op string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
	at := time.Since(s.began)
	line := fmt.Sprintf("@%v %s %s", at, op, e.Regarding.Name)
	if e.Series != nil {
		line += fmt.Sprintf(" count=%d last=@%v", e.Series.Count, e.Series.LastObservedTime.Sub(s.began))
	}
	s.mu.Lock()
	s.lines, s.times = append(s.lines, line), append(s.times, at)
	s.mu.Unlock()
	if s.around != nil {
		return s.around(ctx, op, e, store)
	}
	return store(ctx)
}

// forget removes all notes.
func (s *server) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines, s.times = nil, nil
}

// calls returns the times of the calls.
func (s *server) calls() []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]time.Duration(nil), s.times...)
}

func (r *rig) checkTimeline(want ...string) {
	r.Helper()
	r.sink.mu.Lock()
	defer r.sink.mu.Unlock()
	r.diff("requests", strings.Join(want, "\n"), strings.Join(r.sink.lines, "\n"))
}

// drops collects the drops that a handler gets.
type drops struct {
	mu  sync.Mutex // guards the rest
	all []events.Drop
	sum map[events.DropReason]int64
}

func (d *drops) add(one events.Drop) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.sum == nil {
		d.sum = map[events.DropReason]int64{}
	}
	d.all = append(d.all, one)
	d.sum[one.Reason] += one.Occurrences
}

// take returns the drops since the last call.
func (d *drops) take() []events.Drop {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer func() { d.all = nil }()
	return d.all
}

func (d *drops) counts() map[events.DropReason]int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.sum)
}

// start returns a started broadcaster without a log, and a recorder. It shuts the broadcaster down
// at the end of the test.
func start(t testing.TB, sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, append(options{quiet}, opts...)...)
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	return b, newRecorder(b)
}

// quiet is an option that disables the log.
var quiet = events.WithLogger(klog.Logger{})

func newRecorder(b *events.Broadcaster) *events.Recorder {
	return b.Recorder(scheme.Scheme, controller)
}

// record records n occurrences of the Event that most tests use.
func record(rec events.EventRecorder, n int, name string) {
	pod := newPod(name)
	for range n {
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %s", name)
	}
}

// watch starts a watcher and returns a function that returns the Events so far.
func watch(t testing.TB, b *events.Broadcaster) func() []*eventsv1.Event {
	t.Helper()
	var mu sync.Mutex
	var got []*eventsv1.Event
	if _, err := b.StartEventWatcher(func(obj runtime.Object) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, obj.(*eventsv1.Event))
	}); err != nil {
		t.Fatal(err)
	}
	return func() []*eventsv1.Event {
		mu.Lock()
		defer mu.Unlock()
		return append([]*eventsv1.Event(nil), got...)
	}
}

// goroutines returns the stacks of the goroutines in the caller's bubble.
func goroutines() (ours []string) {
	stacks := make([]byte, 1<<20)
	all := strings.Split(string(stacks[:goruntime.Stack(stacks, true)]), "\n\n")
	_, bubble, _ := strings.Cut(strings.SplitN(all[0], "\n", 2)[0], ", ")
	for _, stack := range all {
		if strings.Contains(strings.SplitN(stack, "\n", 2)[0], bubble) {
			ours = append(ours, stack)
		}
	}
	return ours
}

// only returns the stored Event, and fails the test unless there is exactly one.
func only(t testing.TB, sink *eventstest.Sink) eventsv1.Event {
	t.Helper()
	all := sink.Events()
	if len(all) != 1 {
		t.Fatalf("%d Events are stored, want 1: %v", len(all), sink.Log())
	}
	return all[0]
}

// count returns the number of occurrences in e.
func count(e *eventsv1.Event) int64 { return eventview.FromEventsV1(e).Count }

// Answers of a kube-apiserver to a writer.
var (
	eventsResource = schema.GroupResource{Group: eventsv1.GroupName, Resource: "events"}

	errUnavailable = apierrors.NewServiceUnavailable("starting")
	errForbidden   = apierrors.NewForbidden(eventsResource, "", errors.New("RBAC"))
	errNoNamespace = apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "default")
	errInvalid     = apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, "web", nil)
	errTerminating = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 403, Reason: metav1.StatusReasonForbidden, Message: "terminating",
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}},
	}}
	errNotServed = &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: 404, Reason: metav1.StatusReasonNotFound, Details: &metav1.StatusDetails{}, // a group, and no version
	}}
	errTimeout = context.DeadlineExceeded
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// checkLine checks that there is one line, and that it contains all parts.
func checkLine(t *testing.T, lines []string, parts ...string) {
	t.Helper()
	if len(lines) != 1 {
		t.Errorf("%d lines, want 1 with %q:\n%s", len(lines), parts, strings.Join(lines, "\n"))
		return
	}
	for _, part := range parts {
		if !strings.Contains(lines[0], part) {
			t.Errorf("the line has no %q: %s", part, lines[0])
		}
	}
}
