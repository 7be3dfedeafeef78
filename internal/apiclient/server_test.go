// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
)

// sink is what both of them are.
type sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error)
}

// request is one that reached the server.
type request struct {
	Method, Path, ContentType string
	accept                    string
	body                      []byte
}

func (r *request) decode(t *testing.T) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal(r.body, &body); err != nil {
		t.Errorf("%s: %v", r.body, err)
	}
	return body
}

// server is an API server that keeps what it is asked.
type server struct {
	config *rest.Config
	client *http.Client

	mu       sync.Mutex
	requests []request
}

// serve answers every request alike; a nil answer stores what is sent as version 42.
func serve(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	if answer == nil {
		answer = func(w http.ResponseWriter, _ *http.Request) {
			last := s.last()
			store(t, w, last.decode(t))
		}
	}
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.keep(t, r)
		answer(w, r)
	}))
	s.config = &rest.Config{Host: listener.URL, QPS: -1}
	s.config.ContentType = runtime.ContentTypeJSON // for decode
	client, err := rest.HTTPClientFor(s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.client = client
	t.Cleanup(func() {
		client.CloseIdleConnections()
		listener.Close()
	})
	return s
}

func (s *server) keep(t *testing.T, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request{
		Method: r.Method, Path: r.URL.RequestURI(), body: data,
		ContentType: r.Header.Get("Content-Type"), accept: r.Header.Get("Accept"),
	})
}

func store(t *testing.T, w http.ResponseWriter, event map[string]any) {
	metadata, _ := event["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		event["metadata"] = metadata
	}
	metadata["resourceVersion"], metadata["uid"] = "42", "the-uid"
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(event); err != nil {
		t.Error(err)
	}
}

func (s *server) last() request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[len(s.requests)-1]
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// sinks are both over the server.
func (s *server) sinks(t *testing.T) map[string]sink {
	t.Helper()
	v1, err := typedeventsv1.NewForConfigAndClient(s.config, s.client)
	if err != nil {
		t.Fatal(err)
	}
	core, err := typedcorev1.NewForConfigAndClient(s.config, s.client)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]sink{"EventsV1": NewEventsV1(v1), "CoreV1": NewCoreV1(core)}
}

var epoch = time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC)

// event has everything that a series puts on the wire.
func event(count int32) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web.1", Annotations: map[string]string{"team": "a"},
		},
		EventTime:           metav1.NewMicroTime(epoch),
		ReportingController: "example.com/test", ReportingInstance: "test-1",
		Action: "Pulling", Reason: "BackOff", Note: "no luck", Type: "Warning",
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "u1", ResourceVersion: "7",
		},
		Related: &corev1.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web"},
	}
	if count > 1 {
		e.Series = &eventsv1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(epoch.Add(time.Minute))}
	}
	return e
}
