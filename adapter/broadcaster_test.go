// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

var kubelet = corev1.EventSource{Component: "kubelet", Host: "node-7"}

// sinkOf is a sink as components of client-go's record make it.
func sinkOf(events typedcorev1.EventsGetter) record.EventSink {
	return &typedcorev1.EventSinkImpl{Interface: events.Events("")}
}

// Whatever client a component makes its sink of, it writes through events.k8s.io/v1, what came before the sink as well. The
// address may have a path, as behind a proxy for several clusters.
//
// Caught: paths of core/v1's client for the other group; a user agent, an encoding or a rate limiter that is lost.
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
	b := adapter.NewRecordBroadcaster()
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
	if len(all) != 1 || count(&all[0]) != 3 ||
		all[0].ReportingController != "kubelet" || all[0].ReportingInstance != "node-7" {
		t.Errorf("stored: %+v, want one of count 3 from kubelet on node-7", all)
	}
}

type countingLimiter struct {
	flowcontrol.RateLimiter
	n atomic.Int64
}

func (l *countingLimiter) Wait(context.Context) error { l.n.Add(1); return nil }

// foreignSink is a component's own, behind which no client is found.
type foreignSink struct {
	record.EventSink
	*eventstest.Clientset
}

func newForeignSink() foreignSink {
	c := eventstest.NewClientset()
	return foreignSink{sinkOf(c.CoreV1()), c}
}

// What cannot start is one log line, and the broadcaster goes on as before.
func TestBroadcasterThatCannotStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &testlog.Log{}
		b := adapter.NewRecordBroadcaster(events.WithLogger(klog.New(log)))
		emit(b.NewRecorder(scheme.Scheme, kubelet), 1, "default", "web")
		if err := b.Flush(t.Context()); err == nil || !strings.Contains(err.Error(), "StartRecordingToSink") {
			t.Errorf("Flush() = %v, want the remedy", err)
		}
		if err := b.Start(t.Context()); err == nil || !strings.Contains(err.Error(), "StartRecordingToSink") {
			t.Errorf("Start() = %v, want the remedy", err)
		}
		b.Adapter.StartRecordingToSink(nil)
		if line := log.CheckOnce(t, "Events are not written"); !strings.Contains(line, "there is no sink yet") {
			t.Errorf("logged %q, want the remedy", line)
		}
		log.Take()
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

// Stop of the sink's watch, and the end of the context, are the end of the component: it writes what is left, also
// without Shutdown.
func TestBroadcasterEndsByItself(t *testing.T) {
	for _, byContext := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			sink := newForeignSink()
			b := adapter.NewRecordBroadcaster(adapter.WithContext(ctx))
			b.StartStructuredLogging(0)
			w := b.StartRecordingToSink(sink)
			if byContext {
				adapter.NewRecordBroadcaster(adapter.WithContext(ctx)).StartStructuredLogging(0) // without a sink
				cancel()
			} else {
				w.Stop()
			}
			emit(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "late"}), 1, "default", "web")
			time.Sleep(time.Minute)
			if got := b.Stats(); len(sink.Events()) != 1 || got.Dropped[events.DropStopped] != 0 {
				t.Errorf("by context %v: stored %+v, stats %+v", byContext, sink.Events(), got)
			}
			if got := b.Snapshot(0).API; got != adapter.Legacy {
				t.Errorf("the API is %s, want legacy", got)
			}
		})
	}
}
