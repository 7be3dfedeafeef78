// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

var kubelet = corev1.EventSource{Component: "kubelet", Host: "node-7"}

// sinkOf is a sink as components of client-go's record make it.
func sinkOf(events typedcorev1.EventsGetter) record.EventSink {
	return &typedcorev1.EventSinkImpl{Interface: events.Events("")}
}

// Whatever client a component makes its sink of, it writes through events.k8s.io/v1, what came before the sink as well.
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
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { testClientBehind(t, getter) }) })
	}
}

func testClientBehind(t *testing.T, getter func(*rest.Config) typedcorev1.EventsGetter) {
	server, limiter := apiserver.New(), &countingLimiter{RateLimiter: flowcontrol.NewFakeAlwaysRateLimiter()}
	config := server.Config()
	config.UserAgent, config.RateLimiter = "kubelet/v1.36", limiter
	b := adapter.NewRecordBroadcaster()
	recorder := b.NewRecorder(scheme.Scheme, kubelet)
	emit(recorder, 1, "default", "web")
	b.StartRecordingToSink(sinkOf(getter(config)))
	synctest.Wait()
	emit(recorder, 2, "default", "web")
	if err := b.Drain(t.Context()); err != nil {
		t.Error(err)
	}
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

// The address may have a path, as behind a proxy for several clusters.
func TestBroadcasterKeepsTheServersPath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apiserver.New()
		config := server.Config()
		config.Host += "/clusters/a"
		b := adapter.NewRecordBroadcaster(quiet)
		b.StartRecordingToSink(sinkOf(typedcorev1.NewForConfigOrDie(config)))
		synctest.Wait()
		if got, want := fmt.Sprint(server.Requests()), "[GET /clusters/a/apis/events.k8s.io/v1]"; got != want {
			t.Errorf("requests: %s, want %s", got, want)
		}
		b.Shutdown()
	})
}

// foreignSink is a component's own.
type foreignSink struct {
	mu     sync.Mutex // several workers write
	stored []corev1.Event
}

func (s *foreignSink) Create(e *corev1.Event) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored = append(s.stored, *e)
	return e, nil
}

func (s *foreignSink) Update(e *corev1.Event) (*corev1.Event, error) { return e, nil }

func (s *foreignSink) Patch(e *corev1.Event, data []byte) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.stored {
		if s.stored[i].Name == e.Name {
			return e, json.Unmarshal(data, &s.stored[i])
		}
	}
	return nil, apierrors.NewNotFound(corev1.Resource("events"), e.Name)
}

// A sink without a client gets what client-go's broadcaster would write, in every mode.
func TestBroadcasterOverOtherSinks(t *testing.T) {
	for _, mode := range []adapter.API{adapter.Auto, adapter.EventsV1} {
		for name, start := range map[string]func(*adapter.RecordBroadcaster) (stored func() []corev1.Event){
			"fake client": func(b *adapter.RecordBroadcaster) func() []corev1.Event {
				client := fake.NewClientset()
				b.StartRecordingToSink(sinkOf(client.CoreV1()))
				return func() []corev1.Event {
					list, err := client.Tracker().List(corev1.SchemeGroupVersion.WithResource("events"),
						corev1.SchemeGroupVersion.WithKind("Event"), "")
					if err != nil {
						t.Fatal(err)
					}
					return list.(*corev1.EventList).Items
				}
			},
			"foreign sink": func(b *adapter.RecordBroadcaster) func() []corev1.Event {
				sink := &foreignSink{}
				b.StartRecordingToSink(sink)
				return func() []corev1.Event { return sink.stored }
			},
		} {
			t.Run(string(mode)+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					b := adapter.NewRecordBroadcaster(adapter.WithMode(mode), events.WithLogger(klog.Logger{}))
					recorder := b.NewRecorder(scheme.Scheme, kubelet)
					emit(recorder, 1, "default", "early") // before the sink
					go b.Snapshot(0)                      // a scrape may come at any time
					stored := start(b)
					emit(recorder, 3, "default", "web")
					time.Sleep(time.Hour) // no probe, and nothing else that would have no client
					if err := b.Drain(t.Context()); err != nil {
						t.Error(err)
					}
					counts := map[string]int32{}
					for _, e := range stored() {
						counts[e.InvolvedObject.Name] = e.Count
						if e.Source.Component != "kubelet" || e.Source.Host != "node-7" && e.ReportingInstance != "node-7" {
							t.Errorf("%s: source %+v, instance %q", e.Name, e.Source, e.ReportingInstance)
						}
					}
					if diff := cmp.Diff(map[string]int32{"early": 1, "web": 3}, counts); diff != "" {
						t.Errorf("counts (-want +got):\n%s", diff)
					}
				})
			})
		}
	}
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
		sink := &foreignSink{}
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
		start(&foreignSink{}, "already started")
		b.Shutdown()
		start(&foreignSink{}, "drained")
		b.StartEventWatcher(func(*corev1.Event) {})
		log.CheckOnce(t, "Events are not logged")
		if len(sink.stored) != 1 {
			t.Errorf("stored: %+v, want the one that was recorded", sink.stored)
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
			sink := &foreignSink{}
			b := adapter.NewRecordBroadcaster(adapter.WithContext(ctx))
			b.StartStructuredLogging(0)
			w := b.StartRecordingToSink(sink)
			if byContext {
				cancel()
			} else {
				w.Stop()
			}
			emit(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "late"}), 1, "default", "web")
			time.Sleep(time.Minute)
			if got := b.Stats(); len(sink.stored) != 1 || got.Dropped[events.Stopped] != 0 {
				t.Errorf("by context %v: stored %+v, stats %+v", byContext, sink.stored, got)
			}
			if got := b.Snapshot(0).API; got != adapter.Legacy {
				t.Errorf("the API is %s, want legacy", got)
			}
		})
	}
}
