// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"net/http"
	"strings"
	"time"
)

// The two APIs for Events, as the beginning of a path.
const (
	EventsV1 = "/apis/events.k8s.io/v1"
	CoreV1   = "/api/v1"
)

// Exchange is one request and its answer.
type Exchange struct {
	Method, Path string
	Status       int       // 0: the request failed without an answer
	At           time.Time // when it was over
}

func exchange(req *http.Request) Exchange { return Exchange{Method: req.Method, Path: req.URL.Path} }

// IsCreate reports whether the request creates an Event.
func (e Exchange) IsCreate() bool {
	return e.Method == http.MethodPost && strings.HasSuffix(e.Path, "/events")
}

// IsPatch reports whether the request patches an Event.
func (e Exchange) IsPatch() bool {
	return e.Method == http.MethodPatch && strings.Contains(e.Path, "/events/")
}

// IsDiscovery reports whether the request asks if events.k8s.io/v1 is served.
func (e Exchange) IsDiscovery() bool { return e.Method == http.MethodGet && e.Path == EventsV1 }

// Succeeded reports whether the server did what the request asked for.
func (e Exchange) Succeeded() bool { return e.Status >= 200 && e.Status < 300 }

// WroteIn reports whether the request writes an Event in a namespace.
func (e Exchange) WroteIn(namespace string) bool {
	return (e.IsCreate() || e.IsPatch()) && strings.Contains(e.Path, "/namespaces/"+namespace+"/")
}

// Through reports whether the request goes to one of the two APIs.
func (e Exchange) Through(api string) bool {
	return e.Path == api || strings.HasPrefix(e.Path, api+"/")
}
