// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// quiet logs nothing.
var quiet = events.WithLogger(klog.Logger{})

// idle returns an adapter that was not started. Its series stay as they are.
func idle(t *testing.T, opts ...adapter.Option) *adapter.Adapter {
	t.Helper()
	a := adapter.New(t.Context(), eventstest.NewClientset(), append([]adapter.Option{quiet}, opts...)...)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = a.Drain(ctx) // what is pending is lost
	})
	return a
}

func ask(h http.Handler, method, target, accept string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func textOf(t *testing.T, r *http.Response) string {
	t.Helper()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "\r\n\r\n")
	return body
}

// Caught: a page for POST; JSON for a browser; HTML for kubectl get --raw.
func TestMethodsAndFormats(t *testing.T) {
	const html, json, text = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"
	h := debug.Handler(idle(t))
	for _, row := range []struct {
		method, target, accept string
		code                   int
		contentType            string
	}{
		{"GET", "/", "", 200, html},
		{"GET", "/", "*/*", 200, html},
		{"GET", "/", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", 200, html},
		{"GET", "/", "application/json", 200, json},
		{"GET", "/", "application/json, */*", 200, json}, // kubectl get --raw
		{"GET", "/", "text/*, application/json", 200, json},
		{"GET", "/", "text/html, application/json", 200, html},
		{"GET", "/", "image/png", 200, html},
		{"GET", "/any/path?format=json", "text/html", 200, json},
		{"GET", "/?format=html", "application/json", 200, html},
		{"GET", "/?format=yaml", "", 200, html},
		{"HEAD", "/", "", 200, html},
		{"HEAD", "/", "application/json", 200, json},
		{"POST", "/", "", 405, text},
		{"PUT", "/", "application/json", 405, text},
		{"DELETE", "/", "", 405, text},
		{"OPTIONS", "/", "", 405, text},
		{"TRACE", "/?format=json", "", 405, text},
	} {
		t.Run(fmt.Sprint(row.method, " ", row.target, " ", row.accept), func(t *testing.T) {
			r := ask(h, row.method, row.target, row.accept)
			if r.StatusCode != row.code || r.Header.Get("Content-Type") != row.contentType {
				t.Errorf("%d %q, want %d %q", r.StatusCode, r.Header.Get("Content-Type"), row.code, row.contentType)
			}
			if allow := r.Header.Get("Allow"); row.code == 405 && allow != "GET, HEAD" {
				t.Errorf("Allow: %q", allow)
			}
		})
	}
}

// Caught: an answer that a proxy keeps; one that a browser takes for a script; a policy that allows anything inline.
func TestHeaders(t *testing.T) {
	for _, target := range []string{"/", "/?format=json", "/?format=none"} {
		r := ask(debug.Handler(idle(t)), "GET", target, "")
		got := map[string]string{}
		for _, name := range []string{"Cache-Control", "X-Content-Type-Options", "Referrer-Policy", "Vary"} {
			got[name] = r.Header.Get(name)
		}
		if diff := cmp.Diff(map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Vary": "Accept",
		}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: Content-Security-Policy: %s", target, policy)
		}
	}
}

// Caught: text after the end, or too little of it.
func TestContentLength(t *testing.T) {
	r := ask(debug.Handler(idle(t)), "GET", "/", "")
	if body := textOf(t, r); r.Header.Get("Content-Length") != strconv.Itoa(len(body)) {
		t.Errorf("Content-Length: %s, the body has %d", r.Header.Get("Content-Length"), len(body))
	}
}

// stuck is a client that takes nothing.
type stuck struct {
	httptest.ResponseRecorder
	writing, release chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	close(s.writing)
	<-s.release
	return len(p), nil
}

// Caught: a lock, of the handler or of the adapter, that is held while an answer is written.
func TestSlowClientBlocksNothing(t *testing.T) {
	a := idle(t)
	h := debug.Handler(a)
	slow := &stuck{*httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.ServeHTTP(slow, httptest.NewRequest("GET", "/", nil))
	}()
	<-slow.writing
	a.NewRecorder("example.com/test").Eventf(pod("default", "web"), nil, corev1.EventTypeNormal, "Pulled", "Pull", "ok")
	if n := a.Stats().Observed; n != 1 {
		t.Errorf("%d occurrences, want 1", n)
	}
	if r := ask(h, "GET", "/?format=json", ""); r.StatusCode != 200 {
		t.Errorf("a second client gets %d", r.StatusCode)
	}
	close(slow.release)
	<-ended
}

// Caught: a panic that leaves the handler, which a component without net/http's recovery does not survive; one that leaves
// it locked.
func TestNilSource(t *testing.T) {
	for name, source := range map[string]debug.Source{
		"nil": nil, "nil adapter": (*adapter.Adapter)(nil), "nil broadcaster": (*adapter.RecordBroadcaster)(nil),
	} {
		t.Run(name, func(t *testing.T) {
			h := debug.Handler(source)
			for range 2 {
				if r := ask(h, "GET", "/", ""); r.StatusCode != 500 || !strings.Contains(textOf(t, r), "pass Handler the adapter") {
					t.Errorf("%d", r.StatusCode)
				}
			}
		})
	}
}
