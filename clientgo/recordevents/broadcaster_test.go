// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recordevents_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/clientgo/recordevents"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

var kubelet = corev1.EventSource{Component: "kubelet", Host: "node-7"}

// emit records n occurrences about a pod.
func emit(recorder events.EventRecorder, n int, namespace, name string) {
	pod := fixture.Pod(namespace, name)
	for range n {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Killing", "Kill", "stopping %s", name)
	}
}

// roundTrip is an http.RoundTripper that is a function.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// sinkOf returns a sink in the way in which components that use tools/record make it.
func sinkOf(events typedcorev1.EventsGetter) record.EventSink {
	return &typedcorev1.EventSinkImpl{Interface: events.Events("")}
}

// The broadcaster writes through events.k8s.io/v1 with any client that a component has in its sink,
// and it also writes the occurrences that were recorded before it had the sink. The address of the
// server may have a path, as behind a proxy for several clusters.
//
// Caught: paths of core/v1's client for the other group; a user agent, an encoding or a rate
// limiter that is lost.
func TestBroadcasterUsesTheClientBehindTheSink(t *testing.T) {
	for name, getter := range map[string]func(*rest.Config) typedcorev1.EventsGetter{
		"clientset":    func(c *rest.Config) typedcorev1.EventsGetter { return kubernetes.NewForConfigOrDie(c).CoreV1() },
		"typed client": func(c *rest.Config) typedcorev1.EventsGetter { return typedcorev1.NewForConfigOrDie(c) },
		"REST client": func(c *rest.Config) typedcorev1.EventsGetter {
			return typedcorev1.New(kubernetes.NewForConfigOrDie(c).CoreV1().RESTClient())
		},
	} {
		fixture.InBubble(t, name, func(t *testing.T) { testClientBehind(t, getter) })
	}
}

func testClientBehind(t *testing.T, getter func(*rest.Config) typedcorev1.EventsGetter) {
	server, limiter := apiserver.New(), &countingLimiter{RateLimiter: flowcontrol.NewFakeAlwaysRateLimiter()}
	config := server.Config()
	config.Host += "/clusters/a"
	config.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		return apiserver.Exchange(http.StripPrefix("/clusters/a", server), r)
	})
	config.UserAgent, config.RateLimiter = "kubelet/v1.36", limiter
	b := recordevents.NewBroadcaster()
	recorder := b.NewRecorder(scheme.Scheme, kubelet)
	emit(recorder, 1, "default", "web")
	b.StartRecordingToSink(sinkOf(getter(config)))
	synctest.Wait()
	emit(recorder, 2, "default", "web")
	fixture.End(t, b)
	var got []string
	for _, r := range server.Requests() {
		if agent := r.Header.Get("User-Agent"); agent != "kubelet/v1.36" {
			t.Errorf("%v has user agent %q", r, agent)
		}
		uri, _, _ := strings.Cut(r.URI, "/web.")
		got = append(got, r.Method+" "+uri)
	}
	if sent := limiter.n.Load(); sent != int64(len(got)) {
		t.Errorf("the rate limiter saw %d requests of %d", sent, len(got))
	}
	slices.Sort(got) // discovery and the first write are sent at the same time
	got = slices.Compact(got)
	want := []string{
		"GET /apis/events.k8s.io/v1",
		"PATCH /apis/events.k8s.io/v1/namespaces/default/events",
		"POST /apis/events.k8s.io/v1/namespaces/default/events",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	all := server.Events()
	if len(all) != 1 || eventview.FromEventsV1(&all[0]).Count != 3 ||
		all[0].ReportingController != "kubelet" || all[0].ReportingInstance != "node-7" {
		t.Errorf("stored: %+v, want one of count 3 from kubelet on node-7", all)
	}
}

type countingLimiter struct {
	flowcontrol.RateLimiter
	n atomic.Int64
}

func (l *countingLimiter) Wait(context.Context) error { l.n.Add(1); return nil }

// foreignSink is a sink of the component's own type, in which no client is found.
type foreignSink struct {
	record.EventSink
	*eventstest.Clientset
}

func newForeignSink() foreignSink {
	c := eventstest.NewClientset()
	return foreignSink{sinkOf(c.CoreV1()), c}
}

// A start that is not possible has one log line and no other effect.
func TestBroadcasterThatCannotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b := recordevents.NewBroadcaster(events.WithLogger(klog.New(log)))
		emit(b.NewRecorder(scheme.Scheme, kubelet), 1, "default", "web")
		if err := b.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "StartRecordingToSink") {
			t.Errorf("Flush() = %v, want the remedy", err)
		}
		sink := newForeignSink()
		start := func(sink record.EventSink, problem string) {
			t.Helper()
			w := b.StartRecordingToSink(sink)
			if _, open := <-w.ResultChan(); open {
				t.Errorf("%s: the watch is not over", problem)
			}
			if line := log.CheckOnce(t, "Events are not written"); !strings.Contains(line, problem) {
				t.Errorf("logged %q, want %q", line, problem)
			}
			log.Take()
		}
		start(nil, "the sink is nil")
		start(&typedcorev1.EventSinkImpl{}, "the sink is nil")
		b.StartRecordingToSink(sink)
		start(newForeignSink(), "already started")
		b.Shutdown()
		start(newForeignSink(), "drained")
		b.StartEventWatcher(func(*corev1.Event) {})
		log.CheckOnce(t, "Events are not logged")
		if len(sink.Events()) != 1 {
			t.Errorf("stored: %+v, want the one that was recorded", sink.Events())
		}
	})
}

// After Stop of the result of StartRecordingToSink, and after the end of the context, the
// broadcaster writes the pending occurrences and ends, even if nobody calls Shutdown.
func TestBroadcasterEndsByItself(t *testing.T) {
	for _, byContext := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sink := newForeignSink()
			b := recordevents.NewBroadcaster(recordevents.WithContext(ctx))
			b.StartStructuredLogging(0)
			w := b.StartRecordingToSink(sink)
			if byContext {
				recordevents.NewBroadcaster(recordevents.WithContext(ctx)).StartStructuredLogging(0) // without a sink
				cancel()
			} else {
				w.Stop()
			}
			emit(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "late"}), 1, "default", "web")
			time.Sleep(time.Minute)
			if got := b.Stats(); len(sink.Events()) != 1 || got.Dropped[events.DropStopped] != 0 {
				t.Errorf("by context %v: stored %+v, stats %+v", byContext, sink.Events(), got)
			}
			if got := b.Snapshot(0).API; got != adapter.ModeLegacy {
				t.Errorf("the API is %s, want legacy", got)
			}
		})
	}
}

func TestMain(m *testing.M) {
	os.Unsetenv(adapter.Environment) // a mode that the environment sets is not for these tests
	goleak.VerifyTestMain(m)
}
