// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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
