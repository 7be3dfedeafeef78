// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	testingclock "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

// request is what a server sees of one.
type request struct {
	method, path, contentType, body string
}

// wire is a server that keeps the requests and answers all alike.
type wire struct {
	mu       sync.Mutex // guards requests
	requests []request
	answer   http.HandlerFunc
}

// listen returns a real client for the server. Both end with the test.
func (w *wire) listen(t *testing.T) kubernetes.Interface {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.requests = append(w.requests, request{r.Method, r.URL.Path, r.Header.Get("Content-Type"), string(body)})
		w.mu.Unlock()
		rw.Header().Set("Content-Type", "application/json")
		w.answer(rw, r)
	}))
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

var apis = []struct {
	name string
	sink func(kubernetes.Interface) events.Sink
	path string
}{
	{
		"EventsV1", func(c kubernetes.Interface) events.Sink { return sinks.EventsV1(c.EventsV1()) },
		"/apis/events.k8s.io/v1/namespaces/default/events",
	},
	{
		"CoreV1", func(c kubernetes.Interface) events.Sink { return sinks.CoreV1(c.CoreV1()) },
		"/api/v1/namespaces/default/events",
	},
}

// A server that says "later" is asked once: the waiting is the broadcaster's part.
func TestAPISinksSendOneRequest(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			w := &wire{answer: func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Retry-After", "1")
				rw.WriteHeader(http.StatusTooManyRequests)
				_ = json.NewEncoder(rw).Encode(apierrors.NewTooManyRequests("APF", 1).ErrStatus)
			}}
			sink := api.sink(w.listen(t))
			_, createErr := sink.Create(t.Context(), newEvent("a"))
			e, patch := counted("a", 2)
			_, patchErr := sink.Patch(t.Context(), e, patch)
			for op, err := range map[string]error{"Create": createErr, "Patch": patchErr} {
				if seconds, ok := apierrors.SuggestsClientDelay(err); !ok || seconds != 1 {
					t.Errorf("%s: %v, want the server's 429 and its word to wait 1 s", op, err)
				}
			}
			if len(w.requests) != 2 {
				t.Errorf("requests: %+v, want one per call", w.requests)
			}
		})
	}
}

// What is sent, on the wire.
func TestAPISinksOnTheWire(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			w := &wire{answer: func(rw http.ResponseWriter, _ *http.Request) {
				_, _ = io.WriteString(rw, `{"metadata":{"namespace":"default","name":"a","resourceVersion":"7"}}`)
			}}
			sink := api.sink(w.listen(t))
			stored, err := sink.Create(t.Context(), newEvent("a"))
			if err != nil || stored.ResourceVersion != "7" {
				t.Errorf("Create() = %v, %v, want resourceVersion 7", stored, err)
			}
			e, patch := counted("a", 2)
			stored, err = sink.Patch(t.Context(), e, patch)
			if err != nil || stored.ResourceVersion != "7" {
				t.Errorf("Patch() = %v, %v, want resourceVersion 7", stored, err)
			}
			if len(w.requests) != 2 {
				t.Fatalf("requests: %+v, want 2", w.requests)
			}
			post, patched := w.requests[0], w.requests[1]
			if post.method != "POST" || post.path != api.path {
				t.Errorf("Create sent %+v", post)
			}
			if patched.method != "PATCH" || patched.path != api.path+"/a" ||
				patched.contentType != "application/strategic-merge-patch+json" {
				t.Errorf("Patch sent %+v", patched)
			}
			var body struct {
				Count         *int32
				LastTimestamp *metav1.Time
				Series        eventsv1.EventSeries
			}
			if err := json.Unmarshal([]byte(patched.body), &body); err != nil {
				t.Fatal(err)
			}
			if !cmp.Equal(body.Series, *e.Series) {
				t.Errorf("Patch sent the series %+v, want %+v", body.Series, e.Series)
			}
			core := body.Count != nil && *body.Count == 2 && body.LastTimestamp != nil
			if core != (api.name == "CoreV1") {
				t.Errorf("Patch sent %s, want core/v1's count and time only through core/v1", patched.body)
			}
		})
	}
}

// An Event without a namespace cannot be sent, which is said without asking the server.
func TestAPISinksNeedANamespace(t *testing.T) {
	for _, api := range apis {
		t.Run(api.name, func(t *testing.T) {
			client := eventstest.NewClientset()
			sink := api.sink(client)
			e := newEvent("a")
			e.Namespace = ""
			if _, err := sink.Create(t.Context(), e); err == nil {
				t.Error("Create of an event without a namespace: no error")
			}
			if _, err := sink.Patch(t.Context(), e, []byte("{}")); err == nil {
				t.Error("Patch of an event without a namespace: no error")
			}
			if got := client.Writes(); got != (eventstest.Writes{}) {
				t.Errorf("requests: %+v, want none", got)
			}
		})
	}
}

// store puts an event through sinks and returns what the cluster then has.
func store(t *testing.T, create, patch func(kubernetes.Interface) events.Sink) eventsv1.Event {
	t.Helper()
	client := eventstest.NewClientset()
	client.SetClock(testingclock.NewFakePassiveClock(moment))
	if _, err := create(client).Create(t.Context(), newEvent("a")); err != nil {
		t.Fatal(err)
	}
	for n := int32(2); n < 5; n++ {
		e, data := counted("a", n)
		if _, err := patch(client).Patch(t.Context(), e, data); err != nil {
			t.Fatal(err)
		}
	}
	return client.Events()[0]
}

// Through either API, and through both in turn, the cluster has the same object.
func TestAPISinksWriteTheSameObject(t *testing.T) {
	want := store(t, apis[0].sink, apis[0].sink)
	if want.Series == nil || want.Series.Count != 4 || want.Note != "stopping" || want.Related.Name != "node" {
		t.Fatalf("through events.k8s.io/v1: %+v", want)
	}
	for _, create := range apis {
		for _, patch := range apis {
			t.Run(create.name+" continued by "+patch.name, func(t *testing.T) {
				got := store(t, create.sink, patch.sink)
				viaCore := got.DeepCopy()
				got.DeprecatedSource, got.DeprecatedCount = want.DeprecatedSource, 0
				got.DeprecatedFirstTimestamp, got.DeprecatedLastTimestamp = metav1.Time{}, metav1.Time{}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("other than through events.k8s.io/v1 (-want +got):\n%s", diff)
				}
				if create.name != "CoreV1" || patch.name != "CoreV1" {
					return
				}
				// Their times are in whole seconds.
				first, last := viaCore.DeprecatedFirstTimestamp.Time, viaCore.DeprecatedLastTimestamp.Time
				if viaCore.DeprecatedCount != 4 || viaCore.DeprecatedSource.Component != "example.com/controller" ||
					!first.Equal(moment.Truncate(time.Second)) || last.Sub(first) != 4*time.Second {
					t.Errorf("what readers of core/v1 know: %+v", viaCore)
				}
			})
		}
	}
}
