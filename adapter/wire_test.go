// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

const probePath = "GET /apis/events.k8s.io/v1"

// TestSupportOverTheWire is the table for what discovery says, in the server's own answers.
func TestSupportOverTheWire(t *testing.T) {
	status := func(code int, header ...string) http.HandlerFunc {
		reason := map[int]metav1.StatusReason{404: metav1.StatusReasonNotFound}[code]
		return apiserver.Status(code, reason, header...)
	}
	later := func(code int) http.HandlerFunc { return status(code, "Retry-After", "1") }
	const served, unknown = "Events go through events.k8s.io/v1", "Cannot tell whether"
	const notServed = "The API server does not serve"
	tests := []struct {
		name  string
		probe http.HandlerFunc // nil: as it should be
		line  string           // of the log, after which the answer is known
		want  discovery.Support
	}{
		{"200", nil, served, discovery.Served},
		{"200 without events", apiserver.Object(200, &metav1.APIResourceList{}), unknown, discovery.Unknown},
		{"401", status(http.StatusUnauthorized), unknown, discovery.Unknown},
		{"403", status(http.StatusForbidden), unknown, discovery.Unknown},
		{"429 with Retry-After", later(http.StatusTooManyRequests), unknown, discovery.Unknown},
		{"500", status(http.StatusInternalServerError), unknown, discovery.Unknown},
		{"503 with Retry-After", later(http.StatusServiceUnavailable), unknown, discovery.Unknown},
		{"504", status(http.StatusGatewayTimeout), unknown, discovery.Unknown},
		{"404, group known", status(http.StatusNotFound), notServed, discovery.NotServed},
		{"404, plain text", http.NotFound, notServed, discovery.NotServed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := apiserver.New()
			s.Answer(probePath, tt.probe)
			log, logged := withLog()
			a, rec := start(t, s.Client(), logged)
			log.Await(t, tt.line)
			if got := a.Snapshot(0).Support; got != tt.want {
				t.Errorf("Support = %v, want %v", got, tt.want)
			}
			if n := s.Count(probePath); n != 1 {
				t.Errorf("%d probes, want 1: client-go's hidden retries are off", n)
			}
			emit(rec, 1, "default", "web")
			flush(t, a)
			w := s.Writes()
			viaV1, viaCore := w.EventsV1.Creates, w.CoreV1.Creates
			if viaV1+viaCore != 1 || (viaCore == 1) != (tt.want == discovery.NotServed) {
				t.Errorf("requests: %+v, want one, through core/v1 only if the API is not served", w)
			}
		})
	}
}

// A probe that nobody answers holds up neither writes nor a stop.
func TestProbeHangsOverTheWire(t *testing.T) {
	s, began := apiserver.New(), make(chan struct{})
	s.Answer(probePath, func(w http.ResponseWriter, r *http.Request) {
		close(began)
		apiserver.Hang(w, r)
	})
	a, rec := start(t, s.Client())
	<-began
	emit(rec, 1, "default", "web")
	flush(t, a)
	if w := s.Writes(); w.EventsV1.Creates != 1 {
		t.Errorf("requests: %+v, want a create through v1", w)
	}
	if got := a.Snapshot(0).Support; got != discovery.Unknown {
		t.Errorf("Support = %v, want unknown", got)
	}
	a.Shutdown()
}

// The real answers of a server that loses the group in the middle of a series: a 404 in plain text, which client-go
// makes look like an Event that is missing.
func TestLiveSwitchOverTheWire(t *testing.T) {
	s := apiserver.New()
	log, logged := withLog()
	s.Answer(probePath, apiserver.Status(http.StatusServiceUnavailable, ""))
	a, rec := start(t, s.Client(), logged)
	log.Await(t, "Cannot tell whether")
	emit(rec, 1, "default", "web")
	flush(t, a)
	emit(rec, 1, "default", "web")
	flush(t, a)
	if w := s.Writes(); w.EventsV1.Creates != 1 || w.EventsV1.Patches != 1 || w.CoreV1.Creates != 0 {
		t.Errorf("requests: %+v, want a create and a patch through v1", w)
	}
	a.Shutdown()

	// A new process: the last probe is not recent.
	s.Answer(probePath, nil)
	s.Answer("/apis/events.k8s.io/", http.NotFound)
	a, rec = start(t, s.Client(), logged)
	emit(rec, 2, "default", "api")
	flush(t, a)
	emit(rec, 3, "default", "api")
	flush(t, a)
	log.Await(t, "The API server does not serve")
	var counts int64
	all := s.Events()
	for i := range all {
		counts += count(&all[i])
	}
	if counts != 7 {
		t.Errorf("stored: %+v, want Events that count 7", all)
	}
	checkAPI(t, a, adapter.Legacy)
	checkAccounts(t, a, 5, 0, nil)
}

// RBAC is asked on the wire in the namespace of the refused write, after it and not before.
func TestAccessOverTheWire(t *testing.T) {
	s := apiserver.New()
	c := &cluster{Clientset: s.Clientset}
	c.deny("shop", v1)
	a, rec := start(t, s.Client())
	emit(rec, 1, "other", "web")
	flush(t, a)
	const reviews = "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
	if n := s.Count(reviews); n != 0 {
		t.Errorf("%d access reviews before a refusal, want 0", n)
	}
	emit(rec, 1, "shop", "web")
	flush(t, a)
	if n := s.Count(reviews); n != 3 {
		t.Errorf("%d access reviews after a refusal, want 3", n)
	}
	if n := s.Count("POST /api/v1/namespaces/shop/events"); n != 1 {
		t.Errorf("%d creates through core/v1, want 1", n)
	}
	checkAccounts(t, a, 2, 0, nil)
	if got := a.Snapshot(0).Namespaces["shop"]; got.API != adapter.CoreV1 || got.Access.CoreV1 != discovery.Allowed {
		t.Errorf("Status of the namespace: %+v", got)
	}
}
