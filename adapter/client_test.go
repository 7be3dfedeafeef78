// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// The limits are the SDK's unless the configuration has some.
func TestNewForConfigLimits(t *testing.T) {
	for name, row := range map[string]struct {
		config rest.Config
		qps    float32 // 0: unlimited
		burst  int
	}{
		"none":            {rest.Config{}, 50, 100},
		"QPS":             {rest.Config{QPS: 7}, 7, 100},
		"no limit":        {rest.Config{QPS: -1}, 0, 0},
		"burst":           {rest.Config{Burst: 9}, 50, 9},
		"no limit at all": {rest.Config{QPS: -1, Burst: -1}, 0, 0},
		"rate limiter":    {rest.Config{RateLimiter: flowcontrol.NewTokenBucketRateLimiter(2, 3)}, 2, 3},
	} {
		inBubble := func(t *testing.T) {
			before := row.config
			client, err := newClient(&row.config)
			if err != nil {
				t.Fatal(err)
			}
			var qps float32
			burst := 0
			if limiter := client.CoreV1().RESTClient().GetRateLimiter(); limiter != nil {
				qps = limiter.QPS()
				for limiter.TryAccept() { // no time passes in between
					burst++
				}
			}
			if qps != row.qps || burst != row.burst {
				t.Errorf("%v requests a second and %d at once, want %v and %d", qps, burst, row.qps, row.burst)
			}
			if diff := cmp.Diff(before.String(), row.config.String()); diff != "" || row.config.QPS != before.QPS {
				t.Errorf("the caller's configuration was changed (-before +after):\n%s", diff)
			}
		}
		t.Run(name, func(t *testing.T) { synctest.Test(t, inBubble) })
	}
}

// A bucket with a negative burst lets nothing pass, so it is an error and not a client that never sends a request.
//
// Caught: an adapter that writes nothing.
func TestNewForConfigRefusesANegativeBurst(t *testing.T) {
	for _, config := range []rest.Config{{Burst: -1}, {QPS: 5, Burst: -1}} {
		if _, err := NewForConfig(t.Context(), &config); err == nil || !strings.Contains(err.Error(), "Burst of -1") {
			t.Errorf("QPS %v: error %v, want one about the burst", config.QPS, err)
		}
	}
}

// Its requests are protobuf, and name the SDK.
func TestNewForConfigRequests(t *testing.T) {
	server := apiserver.New()
	a, err := NewForConfig(t.Context(), server.Config())
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	a.Recorder("example.com/test").Eventf(pod, nil, corev1.EventTypeNormal, "Started", "Start", "")
	fixture.Flush(t, a)
	if s := a.Stats(); s.Recorded != 1 {
		t.Errorf("%d recorded, want 1", s.Recorded)
	}
	requests := server.Requests()
	last := requests[len(requests)-1]
	if got := last.Header.Get("User-Agent"); !strings.HasSuffix(got, " eventseries/"+eventseries.Version()) {
		t.Errorf("User-Agent %q", got)
	}
	if got := last.Header.Get("Content-Type"); got != "application/vnd.kubernetes.protobuf" {
		t.Errorf("Content-Type %q", got)
	}
}

// untouched is a sink that fails its test when it is used.
type untouched struct{ t *testing.T }

func (u untouched) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	u.t.Error("the constructor calls Create")
	return nil, nil
}

func (u untouched) Patch(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error) {
	u.t.Error("the constructor calls Patch")
	return nil, nil
}

func (u untouched) Flush(context.Context) error {
	u.t.Error("the constructor calls Flush")
	return nil
}

// The constructor does no I/O, also to find out whether the options are valid.
//
// Caught: a constructor that calls Flush for its error.
func TestNewForConfigDoesNoIO(t *testing.T) {
	server := apiserver.New()
	sink := WithSink(func(events.Sink) events.Sink { return untouched{t} })
	if _, err := NewForConfig(t.Context(), server.Config(), sink); err != nil {
		t.Error(err)
	}
	_, err := NewForConfig(t.Context(), server.Config(), sink, WithMode("nonsense"), events.WithMaxSeries(-1))
	for _, want := range []string{"WithMode", "WithMaxSeries"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s in it", err, want)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// slowly is a server that answers after a while.
type slowly struct {
	http.RoundTripper
	after time.Duration
}

func (s slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(s.after) // in a synctest bubble
	return s.RoundTripper.RoundTrip(r)
}

// The client of NewForConfig has a limit, but not at the end: nothing is lost that the server can take in the five
// seconds of Shutdown. Under another client it writes what that may send, and a loss names the client's rate, and an object.
//
// Caught: a limit that stays, also for a request that waits for it when the end comes; advice about RBAC, which refused nothing.
func TestShutdown(t *testing.T) {
	const repeats = 3
	for name, row := range map[string]struct {
		series int
		own    bool
		lost   bool
	}{
		"10,000 series":            {10_000, true, false},
		"under a client of others": {2000, false, true},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			server, log := apiserver.New(), &testlog.Log{}
			config := server.Config()
			config.Transport = slowly{config.Transport, 5 * time.Millisecond}
			config.QPS, config.Burst = 50, 100
			opts := []Option{events.WithLogger(klog.New(log))}
			a, err := NewForConfig(t.Context(), config, opts...)
			if err != nil {
				t.Fatal(err)
			}
			if !row.own {
				a = New(t.Context(), kubernetes.NewForConfigOrDie(config), opts...)
			}
			if err := a.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			recorder := a.Recorder("example.com/test")
			record := func() {
				for i := range row.series {
					pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
						Namespace: "shop", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i)),
					}}
					recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "")
				}
			}
			record()
			time.Sleep(time.Minute)
			early := a.Stats().Creates
			time.Sleep(4 * time.Minute)
			for range repeats {
				record()
			}
			time.Sleep(time.Second)
			a.Shutdown()
			s := a.Stats()
			if lost := s.Dropped[events.DropAbandoned] > 0; lost != row.lost || s.Creates != int64(row.series) || early > 3100 {
				t.Errorf("%d creates, %d in the first minute; a loss: %v, want %v", s.Creates, early, lost, row.lost)
			}
			if !row.lost {
				return
			}
			line := log.CheckOnce(t, "Events were lost at shutdown")
			if !strings.Contains(line, "for example of Pod shop/web-") || !strings.Contains(line, "the client allows 50 requests a second") {
				t.Errorf("the line does not name an object and the client's rate: %s", line)
			}
		})
	}
}

// refuser is a sink that refuses everything.
type refuser struct{ events.Sink }

func (refuser) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "web", errors.New("no"))
}

// I5: what is remembered of namespaces is bounded, whatever is refused. Nobody can be asked about them.
//
// Caught: no bound on the namespaces.
func TestI5WhatIsRememberedIsBounded(t *testing.T) {
	c := config{mode: ModeAuto}
	c.Clock = clock.RealClock{}
	c.Logger = &klog.Logger{}
	r := newRouter(&c)
	r.attach(&discovery.Prober{}, map[Mode]events.Sink{ModeEventsV1: refuser{}, ModeCoreV1: refuser{}})
	r.support.fix(discovery.Served)
	for i := range 2 * maxNamespaces {
		e := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: "web"}}
		if _, err := r.Create(t.Context(), e); !apierrors.IsForbidden(err) {
			t.Fatalf("Create: %v, want it refused", err)
		}
		if n := len(r.permissions.namespaces); n != min(i+1, maxNamespaces) {
			t.Fatalf("%d namespaces are remembered after refusals in %d", n, i+1)
		}
	}
}

// visited is a client that calls visit when it is asked for its core/v1 part.
type visited struct {
	kubernetes.Interface
	visit func()
}

func (v visited) CoreV1() typedcorev1.CoreV1Interface {
	v.visit()
	return v.Interface.CoreV1()
}

// In ModeLegacy what is recorded while an adapter gets its client is not lost: the correlator has its sink before it gets
// occurrences.
//
// Caught: a correlator that drops as Filtered what it gets without a sink.
func TestNothingIsLostWhileTheClientIsAttached(t *testing.T) {
	server := apiserver.New()
	a := newAdapter(newConfig(t.Context(), []Option{WithMode(ModeLegacy), events.WithLogger(klog.Logger{})}))
	recorder := a.Recorder("example.com/test")
	var recorded int64
	a.attachClient(visited{server.Client(), func() {
		recorded++
		recorder.Eventf(fixture.Pod("shop", fmt.Sprint("web-", recorded)), nil, "Normal", "Pulled", "Pull", "")
	}})
	fixture.Flush(t, a)
	a.Shutdown()
	s := a.Stats()
	if recorded == 0 || s.Recorded != recorded || s.Dropped[events.DropFiltered] != 0 {
		t.Errorf("%d recorded of %d: %+v", s.Recorded, recorded, s.Dropped)
	}
}
