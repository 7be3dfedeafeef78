// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// newClient returns a client of a server that answers everything with handler.
func newClient(t *testing.T, handler http.HandlerFunc) (kubernetes.Interface, *apiserver.Server) {
	t.Helper()
	server := apiserver.New()
	server.Answer("/", handler)
	return newClientFor(t, server.Config().Host, server), server
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

// status returns a handler that answers with a Status about the object details.
func status(code int32, reason metav1.StatusReason, details string) http.HandlerFunc {
	return apiserver.Object(int(code), &metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "scripted",
		Details: &metav1.StatusDetails{Name: details},
	})
}
