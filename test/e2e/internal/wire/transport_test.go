// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Close ends also a connection on which an answer is under way.
//
// Caught: a connection that was not idle when the test ended, and kept its goroutines for 90 seconds.
func TestCloseEndsWhatIsInUse(t *testing.T) {
	ended := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	base := server.Client().Transport.(*http.Transport).Clone()
	base.DialContext = (&net.Dialer{}).DialContext
	transport := New(base)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	transport.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the connection is open")
		server.CloseClientConnections()
	}
	server.Close()
}
