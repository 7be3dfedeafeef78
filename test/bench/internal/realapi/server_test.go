// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// server is as much of an API server as is asked here.
type server struct {
	forgetful string // says yes to a request of this method about a pod …07, and does not keep it

	mu      sync.Mutex // guards the rest
	version int
	events  map[string]*eventsv1.Event // by namespace and name
}

func newServer(t *testing.T, forgetful string) *rest.Config {
	t.Helper()
	s := &server{forgetful: forgetful, events: map[string]*eventsv1.Event{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/namespaces", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, &corev1.Namespace{})
	})
	for _, api := range []string{"/api/v1", "/apis/events.k8s.io/v1"} {
		mux.HandleFunc("POST "+api+"/namespaces/{ns}/events", s.create)
		mux.HandleFunc("PATCH "+api+"/namespaces/{ns}/events/{name}", s.patch)
		mux.HandleFunc("GET "+api+"/namespaces/{ns}/events", s.list)
	}
	listener := httptest.NewServer(mux)
	t.Cleanup(listener.Close)
	return &rest.Config{Host: listener.URL, QPS: -1}
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	event, ok := object.(*eventsv1.Event)
	if core, legacy := object.(*corev1.Event); legacy {
		event, ok = &eventsv1.Event{ObjectMeta: core.ObjectMeta, Regarding: core.InvolvedObject}, true
	}
	if !ok {
		http.Error(w, fmt.Sprintf("%T", object), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	event.ResourceVersion = fmt.Sprint(s.version)
	s.keep(r, event)
	reply(w, event)
}

func (s *server) patch(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	stored := s.events[r.PathValue("ns")+"/"+r.PathValue("name")]
	if stored == nil {
		http.Error(w, "no such event", http.StatusNotFound)
		return
	}
	event := stored.DeepCopy()
	if err := json.Unmarshal(body, event); err != nil || event.ResourceVersion != stored.ResourceVersion {
		http.Error(w, "a patch of another version", http.StatusConflict)
		return
	}
	s.version++
	event.ResourceVersion = fmt.Sprint(s.version)
	s.keep(r, event)
	reply(w, event)
}

func (s *server) keep(r *http.Request, event *eventsv1.Event) {
	if r.Method == s.forgetful && strings.HasSuffix(event.Regarding.Name, "07") {
		return
	}
	s.events[event.Namespace+"/"+event.Name] = event
}

// list answers in pages of ten, whatever is asked for.
func (s *server) list(w http.ResponseWriter, r *http.Request) {
	const page = 10
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []string
	for key := range s.events {
		if strings.HasPrefix(key, r.PathValue("ns")+"/") && key > r.URL.Query().Get("continue") {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	all := &eventsv1.EventList{}
	for _, key := range keys[:min(page, len(keys))] {
		all.Items = append(all.Items, *s.events[key])
	}
	if len(keys) > page {
		all.Continue = keys[page-1]
	}
	reply(w, all)
}

// reply answers in JSON, which every client accepts.
func reply(w http.ResponseWriter, object any) {
	switch o := object.(type) {
	case *eventsv1.Event:
		o.TypeMeta = metav1.TypeMeta{}
	case *eventsv1.EventList:
		o.TypeMeta = metav1.TypeMeta{}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_ = json.NewEncoder(w).Encode(object)
}
