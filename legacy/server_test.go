// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
)

// server is an API server in memory, as far as a sink sees it.
type server struct {
	script func(sinkCall) error // what to answer; called without the lock

	mu     sync.Mutex
	stored map[string]*corev1.Event
	log    []sinkCall
}

// sinkCall is one call of the sink.
type sinkCall struct {
	Op    string
	Event *corev1.Event
	Patch string
}

func (r sinkCall) String() string {
	return fmt.Sprintf("%s %s n=%d %q", r.Op, r.Event.InvolvedObject.Name, r.Event.Count, r.Event.Message)
}

var _ record.EventSink = (*server)(nil)

var eventResource = schema.GroupResource{Resource: "events"}

func (s *server) Create(event *corev1.Event) (*corev1.Event, error) {
	if err := s.take(sinkCall{Op: "create", Event: event.DeepCopy()}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.stored[event.Namespace+"/"+event.Name]; ok {
		return nil, apierrors.NewAlreadyExists(eventResource, event.Name)
	}
	return s.store(event.DeepCopy()), nil
}

func (s *server) Update(*corev1.Event) (*corev1.Event, error) { panic("nobody updates events") }

func (s *server) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	if err := s.take(sinkCall{Op: "patch", Event: event.DeepCopy(), Patch: string(data)}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, ok := s.stored[event.Namespace+"/"+event.Name]
	if !ok {
		return nil, apierrors.NewNotFound(eventResource, event.Name)
	}
	before, err := json.Marshal(old)
	if err != nil {
		panic(err)
	}
	after, err := strategicpatch.StrategicMergePatch(before, data, corev1.Event{})
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	patched := &corev1.Event{}
	if err := json.Unmarshal(after, patched); err != nil {
		panic(err)
	}
	patched.ResourceVersion = old.ResourceVersion
	return s.store(patched), nil
}

func (s *server) take(r sinkCall) error {
	s.mu.Lock()
	s.log = append(s.log, r)
	script := s.script
	s.mu.Unlock()
	if script != nil {
		return script(r)
	}
	return nil
}

// store keeps event; each object counts its own writes, so that two servers
// agree on resourceVersions whatever the order of objects.
func (s *server) store(event *corev1.Event) *corev1.Event {
	if s.stored == nil {
		s.stored = map[string]*corev1.Event{}
	}
	event.ResourceVersion += "i"
	s.stored[event.Namespace+"/"+event.Name] = event
	return event.DeepCopy()
}

// expire forgets the events about the object of that name.
func (s *server) expire(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, event := range s.stored {
		if event.InvolvedObject.Name == name {
			delete(s.stored, key)
		}
	}
}

func (s *server) answer(script func(sinkCall) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

func (s *server) requests() []sinkCall {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]sinkCall(nil), s.log...)
}

func (s *server) lines() []string {
	lines := []string{}
	for _, r := range s.requests() {
		lines = append(lines, r.String())
	}
	return lines
}

// Answers.

func status(code int, reason metav1.StatusReason) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: string(reason),
	}}
}

func terminating(namespace string) error {
	err := apierrors.NewForbidden(eventResource, "", fmt.Errorf("namespace %s is being terminated", namespace))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	return err
}

func forbidden() error {
	return apierrors.NewForbidden(eventResource, "", fmt.Errorf("no RBAC policy matched"))
}

func unavailable() error {
	return status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
}

// failing returns a script that answers with errs, then with success.
func failing(errs ...error) func(sinkCall) error {
	var mu sync.Mutex
	return func(sinkCall) error {
		mu.Lock()
		defer mu.Unlock()
		if len(errs) == 0 {
			return nil
		}
		err := errs[0]
		errs = errs[1:]
		return err
	}
}

// Objects.

func pod(name string) *corev1.ObjectReference { return podIn("default", name) }

func podIn(namespace, name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: namespace, Name: name, UID: "uid-of-"}
}

// Checks.

// checkStats checks the counters that want names, and that the sum of all counters is right.
func checkStats(t *testing.T, got events.Stats, want map[string]int64) {
	t.Helper()
	balance(t, got)
	have := map[string]int64{
		"Observed": got.Observed, "Recorded": got.Recorded, "Pending": got.Pending,
		"Unconfirmed": got.Unconfirmed, "Creates": got.Creates, "Patches": got.Patches,
		"Retries": got.Retries, "WatcherDropped": got.WatcherDropped, "Series": int64(got.Series),
	}
	for reason, n := range got.Dropped {
		have[string(reason)] = n
	}
	for name, n := range want {
		if have[name] != n {
			t.Errorf("Stats: %s = %d, want %d; all: %v", name, have[name], n, have)
		}
	}
}

// checkCounts checks that the counts by label set are conserved one by one, and add up to Stats.
func checkCounts(t *testing.T, b *Broadcaster) {
	t.Helper()
	var total events.Counts
	for _, c := range b.Snapshot(0).Counts {
		balance(t, events.Stats{Observed: c.Observed, Recorded: c.Recorded, Pending: c.Pending, Dropped: c.Dropped})
		total = total.Add(c)
	}
	s := b.Stats()
	want := events.Counts{Observed: s.Observed, Recorded: s.Recorded, Pending: s.Pending, Dropped: s.Dropped}
	maps.DeleteFunc(want.Dropped, func(_ events.DropReason, n int64) bool { return n == 0 })
	if diff := cmp.Diff(want, total, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("counts and Stats (-want +got):\n%s", diff)
	}
	if waits := !s.OldestPending.IsZero(); waits != (s.Pending > 0) {
		t.Errorf("%d pending since %v", s.Pending, s.OldestPending)
	}
}

// balance checks invariant I1, conservation.
func balance(t *testing.T, s events.Stats) {
	t.Helper()
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != sum {
		t.Errorf("I1 does not hold: Observed %d, Recorded %d + Pending %d + Dropped %v = %d",
			s.Observed, s.Recorded, s.Pending, s.Dropped, sum)
	}
}
