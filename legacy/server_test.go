// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

var kubelet = corev1.EventSource{Component: "kubelet", Host: "node-1"}

// quiet is an option that disables the log.
var quiet = events.WithLogger(klog.Logger{})

// recordTo returns a broadcaster that writes to sink, and a recorder.
func recordTo(sink record.EventSink, opts ...Option) (*Broadcaster, record.EventRecorderLogger) {
	b := NewBroadcaster(append([]Option{quiet}, opts...)...)
	b.StartRecordingToSink(sink)
	return b, b.Recorder(nil, kubelet)
}

// server is a sink over an API server in memory. A script can replace its answers by errors.
type server struct {
	script func(sinkCall) error // returns the error to answer with, or nil; called without the lock

	mu     sync.Mutex // guards the fields below, and script
	client *eventstest.Clientset
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

var eventResource = schema.GroupResource{Resource: "events"}

func (s *server) Create(event *corev1.Event) (*corev1.Event, error) {
	sink, err := s.take(sinkCall{Op: "create", Event: event.DeepCopy()})
	if err != nil {
		return nil, err
	}
	return sink.Create(event)
}

func (s *server) Update(*corev1.Event) (*corev1.Event, error) { panic("nobody updates events") }

func (s *server) Patch(event *corev1.Event, data []byte) (*corev1.Event, error) {
	sink, err := s.take(sinkCall{Op: "patch", Event: event.DeepCopy(), Patch: string(data)})
	if err != nil {
		return nil, err
	}
	return sink.Patch(event, data)
}

// take notes a call, and returns the sink that answers it, or the error of the script.
func (s *server) take(r sinkCall) (record.EventSink, error) {
	s.mu.Lock()
	s.log = append(s.log, r)
	script, sink := s.script, &typedcorev1.EventSinkImpl{Interface: s.clientLocked().CoreV1().Events("")}
	s.mu.Unlock()
	if script != nil {
		return sink, script(r)
	}
	return sink, nil
}

func (s *server) clientLocked() *eventstest.Clientset {
	if s.client == nil {
		s.client = eventstest.NewClientset()
	}
	return s.client
}

// stored returns the stored Events.
func (s *server) stored() []eventsv1.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clientLocked().Events()
}

// expire removes the Events about the object of that name.
func (s *server) expire(name string) {
	for _, event := range s.stored() {
		if event.Regarding.Name == name {
			s.client.Expire(event.Namespace, event.Name)
		}
	}
}

func (s *server) answer(script func(sinkCall) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

func (s *server) lines() (lines []string) {
	for _, r := range s.log {
		lines = append(lines, r.String())
	}
	return lines
}

// counted returns the sum of the counts of the stored Events.
func (s *server) counted() (sum int32) {
	for _, event := range s.stored() {
		sum += event.DeprecatedCount
	}
	return sum
}

func status(code int, reason metav1.StatusReason) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: string(reason),
	}}
}

func unavailable() error {
	return status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
}

// failing returns a script that answers with each of errs and then with success.
func failing(errs ...error) func(sinkCall) error {
	answers := make(chan error, len(errs))
	for _, err := range errs {
		answers <- err
	}
	close(answers)
	return func(sinkCall) error { return <-answers }
}

func pod(name string) *corev1.ObjectReference { return podIn("default", name) }

func podIn(namespace, name string) *corev1.ObjectReference {
	return &corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: namespace, Name: name, UID: "uid-of-"}
}

// checkStats checks the counters that are named in want, and invariant I1.
func checkStats(t *testing.T, got events.Stats, want map[string]int64) {
	t.Helper()
	have := map[string]int64{
		"Observed": got.Observed, "Recorded": got.Recorded, "Pending": got.Pending, "Unconfirmed": got.Unconfirmed,
		"Creates": got.Creates, "Patches": got.Patches, "Retries": got.Retries,
	}
	for reason, n := range got.Dropped {
		have[string(reason)] = n
	}
	fixture.CheckConserved(t, got)
	for name, n := range want {
		if have[name] != n {
			t.Errorf("Stats: %s = %d, want %d; all: %v", name, have[name], n, have)
		}
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
