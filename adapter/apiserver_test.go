// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
)

// apiserver puts the kit's clientset behind HTTP, for what only shows on the wire.
type apiserver struct {
	*eventstest.Clientset
	mu    sync.Mutex // guards the rest
	probe http.HandlerFunc
	group http.HandlerFunc // answers all of /apis/events.k8s.io instead, if set
	asked []string         // requests, in order
}

const probePath, eventsPath = "/apis/events.k8s.io/v1", "/apis/events.k8s.io/v1/namespaces/{ns}/events"

// serve returns a server and a real client for it. Both end with the test.
func serve(t *testing.T) (*apiserver, kubernetes.Interface) {
	t.Helper()
	s := &apiserver{Clientset: eventstest.NewClientset(), probe: respond(http.StatusOK, &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: "events.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "events"}},
	})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+probePath, func(w http.ResponseWriter, r *http.Request) { s.probing()(w, r) })
	mux.HandleFunc("POST "+eventsPath, func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, func(e *eventsv1.Event) (*eventsv1.Event, error) {
			return s.EventsV1().Events(r.PathValue("ns")).Create(r.Context(), e, metav1.CreateOptions{})
		})
	})
	mux.HandleFunc("PATCH "+eventsPath+"/{name}", func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, func(patch *json.RawMessage) (*eventsv1.Event, error) {
			return s.EventsV1().Events(r.PathValue("ns")).Patch(r.Context(), r.PathValue("name"),
				types.PatchType(r.Header.Get("Content-Type")), *patch, metav1.PatchOptions{})
		})
	})
	mux.HandleFunc("POST /api/v1/namespaces/{ns}/events", func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, func(e *corev1.Event) (*corev1.Event, error) {
			return s.CoreV1().Events(r.PathValue("ns")).Create(r.Context(), e, metav1.CreateOptions{})
		})
	})
	mux.HandleFunc("PATCH /api/v1/namespaces/{ns}/events/{name}", func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, func(patch *json.RawMessage) (*corev1.Event, error) {
			return s.CoreV1().Events(r.PathValue("ns")).Patch(r.Context(), r.PathValue("name"),
				types.PatchType(r.Header.Get("Content-Type")), *patch, metav1.PatchOptions{})
		})
	})
	mux.HandleFunc("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
		func(w http.ResponseWriter, r *http.Request) {
			type review = authorizationv1.SelfSubjectAccessReview
			handle(w, r, func(asked *review) (*review, error) {
				return s.AuthorizationV1().SelfSubjectAccessReviews().Create(r.Context(), asked, metav1.CreateOptions{})
			})
		})
	return s, s.listen(t, mux)
}

func (s *apiserver) listen(t *testing.T, mux *http.ServeMux) kubernetes.Interface {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		group := s.group
		s.mu.Unlock()
		if len(r.URL.Path) >= len(probePath) && r.URL.Path[:len(probePath)] == probePath && group != nil {
			group(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client, err := kubernetes.NewForConfig(&rest.Config{
		Host: server.URL, Transport: transport, QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: "application/json"}, // for handle
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (s *apiserver) probing() http.HandlerFunc {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.probe
}

// gone has the server answer as one does that was started without events.k8s.io: in plain text.
func (s *apiserver) gone() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.group = http.NotFound
}

// requests is how often a request was made.
func (s *apiserver) requests(line string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, asked := range s.asked {
		if asked == line {
			n++
		}
	}
	return n
}

// handle decodes the body, and answers with what do returns.
func handle[In, Out any](w http.ResponseWriter, r *http.Request, do func(*In) (Out, error)) {
	body, err := io.ReadAll(r.Body)
	in := new(In)
	if err == nil {
		err = json.Unmarshal(body, in)
	}
	var out any
	if err == nil {
		out, err = do(in)
	}
	var status apierrors.APIStatus
	switch {
	case err == nil:
		respond(http.StatusOK, out)(w, r)
	case errors.As(err, &status):
		answer := status.Status()
		answer.Kind, answer.APIVersion = "Status", "v1"
		respond(cmp.Or(int(answer.Code), http.StatusInternalServerError), &answer)(w, r)
	default:
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// respond answers with code and object as JSON.
func respond(code int, object any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(object) // a client that went away does not matter
	}
}
