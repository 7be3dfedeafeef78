// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// newClient returns a real client of a server that answers with handler, and the
// number of requests that the server has seen.
func newClient(t *testing.T, handler http.HandlerFunc) (kubernetes.Interface, *atomic.Int64) {
	t.Helper()
	requests := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return newClientFor(t, server.URL, transport), requests
}

// newClientFor returns a real client of host that sends through transport.
func newClientFor(t *testing.T, host string, transport http.RoundTripper) kubernetes.Interface {
	t.Helper()
	config := &rest.Config{Host: host, QPS: -1}
	client, err := kubernetes.NewForConfigAndClient(config, &http.Client{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// roundTripper is a transport without a network, for bubbles.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// hang answers nothing until the caller gives up.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// answer returns a handler that always gives the same answer; header holds pairs.
func answer(code int, contentType, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}
}

// status returns a handler that answers with a Status, as an API server does.
func status(code int32, reason metav1.StatusReason, details string, header ...string) http.HandlerFunc {
	body := metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Code: code, Reason: reason, Message: "scripted",
		Details: &metav1.StatusDetails{Name: details},
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return answer(int(code), "application/json", string(data), header...)
}
