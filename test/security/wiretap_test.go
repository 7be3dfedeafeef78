// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

// transcript has what left the SDK through one output. It is safe for concurrent use.
type transcript struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (s *transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// logger returns a logger that writes everything into s, as at -v=10.
func (s *transcript) logger() klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(s), textlogger.Verbosity(10)))
}

// wiretap is a transport to a scripted API server. It keeps what was sent.
type wiretap struct {
	sent   transcript
	answer func(n int, r *http.Request) (*http.Response, error) // n counts the writes

	mu     sync.Mutex // guards writes
	writes int
}

func (w *wiretap) RoundTrip(r *http.Request) (*http.Response, error) {
	fmt.Fprintln(&w.sent, "\n"+r.Method, r.URL, r.Header)
	if r.Body != nil {
		_, _ = io.Copy(&w.sent, r.Body)
		_ = r.Body.Close()
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "reviews"):
		return respond(r, http.StatusCreated, `{"status": {"allowed": true}}`), nil
	case !strings.Contains(r.URL.Path, "/namespaces/"):
		return respond(r, http.StatusOK, `{"kind": "APIResourceList", "resources": [{"name": "events"}]}`), nil
	}
	w.mu.Lock()
	w.writes++
	n := w.writes
	w.mu.Unlock()
	return w.answer(n, r)
}

// written returns the number of writes.
func (w *wiretap) written() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.writes
}

func (w *wiretap) client(t *testing.T) kubernetes.Interface {
	t.Helper()
	config := &rest.Config{Host: "https://apiserver", Transport: w, QPS: 50, Burst: 100, BearerToken: "token"}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// respond returns an answer in JSON.
func respond(r *http.Request, code int, body string) *http.Response {
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

// stored returns the answer of a server that stored the write.
func stored(_ int, r *http.Request) (*http.Response, error) {
	code := http.StatusOK
	if r.Method == http.MethodPost {
		code = http.StatusCreated
	}
	return respond(r, code, `{"metadata": {"resourceVersion": "7"}}`), nil
}

// refused returns the answer of a server that refused the write.
func refused(r *http.Request, code int, reason, message string) *http.Response {
	return respond(r, code, fmt.Sprintf(
		`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": %d, "reason": %q, "message": %q}`,
		code, reason, message))
}
