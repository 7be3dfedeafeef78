// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"net/http"
)

// transport is the network between one component and the server.
type transport struct {
	server    *Server
	component string
}

// RoundTrip implements http.RoundTripper. It blocks until the driver ends the request or the client's context does.
func (t transport) RoundTrip(asked *http.Request) (*http.Response, error) {
	a, err := newAsk(t.component, asked)
	if err != nil {
		return nil, err
	}
	r := t.server.park(a)
	select {
	case a := <-r.answer:
		return a.response(asked)
	case <-asked.Context().Done():
		return r.giveUp(context.Cause(asked.Context()), asked)
	}
}
