// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Caught: an answer of 403 from a proxy that counts as the database.
func TestReach(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, test := range map[string]struct {
		status int
		want   bool
	}{"there": {http.StatusOK, true}, "forbidden": {http.StatusForbidden, false}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/index/db.json" {
				t.Errorf("%s is asked for", r.URL.Path)
			}
			w.WriteHeader(test.status)
		}))
		defer server.Close()
		if err := reach(server.URL + "/"); (err == nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := reach(gone.URL); err == nil {
		t.Error("a server that is gone is reached")
	}
}
