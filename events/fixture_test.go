// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

const controller = "example.com/test"

func newPod(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: types.UID("uid-" + name), ResourceVersion: "1",
	}}
}

func newPodIn(namespace, name string) *corev1.Pod {
	pod := newPod(name)
	pod.Namespace = namespace
	return pod
}

// start returns a started broadcaster without a log and a recorder, and shuts it down at the end of the test.
func start(t testing.TB, sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, append([]events.Option{quiet}, opts...)...)
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Shutdown)
	return b, newRecorder(b)
}

// quiet logs nothing.
var quiet = events.WithLogger(klog.Logger{})

func newRecorder(b *events.Broadcaster) *events.Recorder {
	return b.NewRecorder(scheme.Scheme, controller).(*events.Recorder)
}

// record records the occurrence that most tests are about, n times.
func record(rec *events.Recorder, n int, name string) {
	pod := newPod(name)
	for range n {
		rec.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %s", name)
	}
}

// flush waits until everything is written.
func flush(t testing.TB, b *events.Broadcaster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := b.Flush(ctx); err != nil {
		t.Error(err)
	}
}

// drain drains with a timeout and returns what was abandoned, nil for nothing.
func drain(t testing.TB, b *events.Broadcaster, timeout time.Duration) *events.AbandonedError {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	err := b.Drain(ctx)
	if err == nil {
		return nil
	}
	var lost *events.AbandonedError
	if !errors.As(err, &lost) {
		t.Fatalf("Drain: %v is a %T, want a *AbandonedError", err, err)
	}
	return lost
}

// only returns the one Event stored.
func only(t testing.TB, sink *eventstest.Sink) eventsv1.Event {
	t.Helper()
	all := sink.Events()
	if len(all) != 1 {
		t.Fatalf("%d Events are stored, want 1: %v", len(all), sink.Log())
	}
	return all[0]
}

func count(e *eventsv1.Event) int64 {
	if e.Series == nil {
		return 1
	}
	return int64(e.Series.Count)
}

func checkLog(t testing.TB, sink *eventstest.Sink, want string) {
	t.Helper()
	if diff := cmp.Diff(want, sink.Log()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// checkConserved is invariant I1.
func checkConserved(t testing.TB, s events.Stats) {
	t.Helper()
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != sum {
		t.Errorf("I1: observed %d, accounted for %d: %+v", s.Observed, sum, s)
	}
}

// checkDropped compares the drops, where reasons without any may be left out.
func checkDropped(t testing.TB, b *events.Broadcaster, want map[events.DropReason]int64) {
	t.Helper()
	got := b.Stats()
	checkConserved(t, got)
	for reason, n := range got.Dropped {
		if n == 0 {
			delete(got.Dropped, reason)
		}
	}
	if len(got.Dropped)+len(want) == 0 {
		return
	}
	if diff := cmp.Diff(want, got.Dropped); diff != "" {
		t.Errorf("Dropped (-want +got):\n%s", diff)
	}
}

// The answers of a kube-apiserver (facts: what a writer meets).
var (
	eventsResource = schema.GroupResource{Group: eventsv1.GroupName, Resource: "events"}

	errOverloaded  = apierrors.NewTooManyRequests("APF", 1)
	errRateLimited = apierrors.NewTooManyRequestsError("EventRateLimit")
	errUnavailable = apierrors.NewServiceUnavailable("starting")
	errInternal    = apierrors.NewInternalError(errors.New("etcd"))
	errForbidden   = apierrors.NewForbidden(eventsResource, "", errors.New("RBAC"))
	errNoNamespace = apierrors.NewNotFound(schema.GroupResource{Resource: "namespaces"}, "default")
	errConflict    = apierrors.NewConflict(eventsResource, "web", errors.New("modified"))
	errInvalid     = apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, "web", nil)
	errTimeout     = context.DeadlineExceeded
)

func errTerminating() error {
	err := apierrors.NewForbidden(eventsResource, "", errors.New("namespace is being terminated"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	return err
}

// errNotServed is the answer of a server that knows the group but not the version.
func errNotServed() error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound, Details: &metav1.StatusDetails{},
	}}
}

// micro is t as the API keeps it.
func micro(t time.Time) metav1.MicroTime { return metav1.NewMicroTime(t.Truncate(time.Microsecond)) }

func ptr[T any](v T) *T { return &v }
