// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
)

// The errors of the table are what client-go makes of real answers: the tests
// of this file ask real servers on the loopback for them.

// statusAnswer answers with err's Status, as the API server does.
func statusAnswer(err *apierrors.StatusError) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		status := err.Status()
		status.Kind, status.APIVersion = "Status", "v1"
		if details := status.Details; details != nil && details.RetryAfterSeconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(details.RetryAfterSeconds)))
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(int(status.Code))
		_ = json.NewEncoder(w).Encode(status)
	}
}

// statusOf answers with a Status of nothing but a code and a reason.
func statusOf(code int, reason metav1.StatusReason) http.HandlerFunc {
	return statusAnswer(&apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason,
	}})
}

// textAnswer answers like a proxy, or like an API server that has no such API.
func textAnswer(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// asking is one request to a server.
type asking func(ctx context.Context, client rest.Interface) error

func create(ctx context.Context, client rest.Interface) error {
	return client.Post().Namespace("default").Resource("events").Body(&eventsv1.Event{}).MaxRetries(0).Do(ctx).Error()
}

func patch(ctx context.Context, client rest.Interface) error {
	return client.Patch(types.StrategicMergePatchType).Namespace("default").Resource("events").Name("web.1").
		Body([]byte(`{}`)).MaxRetries(0).Do(ctx).Error()
}

// answerTo returns what client-go makes of a server's answer.
func answerTo(t *testing.T, ask asking, handler http.HandlerFunc) error {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	return answerOf(t, ask, &rest.Config{Host: server.URL})
}

func answerOf(t *testing.T, ask asking, config *rest.Config) error {
	t.Helper()
	config.QPS = -1
	if config.Timeout == 0 {
		config.Timeout = 10 * time.Second
	}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	client, err := typedeventsv1.NewForConfigAndClient(config, transport)
	if err != nil {
		t.Fatal(err)
	}
	err = ask(t.Context(), client.RESTClient())
	if err == nil {
		t.Fatal("the request succeeded")
	}
	return err
}

// refusedConnection asks a port on which nobody listens any more.
func refusedConnection(t *testing.T) error {
	t.Helper()
	l := listen(t)
	l.Close()
	return answerOf(t, create, &rest.Config{Host: "http://" + l.Addr().String()})
}

// brokenConnection asks a server that reads the request and hangs up: with a
// reset when linger is 0, with an end of file otherwise.
func brokenConnection(t *testing.T, linger int) error {
	t.Helper()
	l := listen(t)
	defer l.Close()
	hungUp := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_, err = conn.Read(make([]byte, 64<<10))
			_ = conn.(*net.TCPConn).SetLinger(linger)
			conn.Close()
		}
		hungUp <- err
	}()
	err := answerOf(t, create, &rest.Config{Host: "http://" + l.Addr().String()})
	if failed := <-hungUp; failed != nil {
		t.Fatal(failed)
	}
	return err
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tlsServer starts one that does not log what this is about.
func tlsServer(t *testing.T, configure func(*httptest.Server)) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(textAnswer(http.StatusOK, ""))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	configure(server)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// throttled asks with a client whose rate limiter has nothing left.
func throttled(t *testing.T) error {
	t.Helper()
	server := httptest.NewServer(textAnswer(http.StatusOK, "{}", "Content-Type", "application/json"))
	defer server.Close()
	config := &rest.Config{Host: server.URL, QPS: 0.001, Burst: 1}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	client, err := typedeventsv1.NewForConfigAndClient(config, transport)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_ = create(ctx, client.RESTClient()) // the one in the bucket
	return create(ctx, client.RESTClient())
}

// tooSlow asks a server that does not answer before the deadline of ctx.
func tooSlow(t *testing.T, impatient func(*rest.Config) asking) error {
	t.Helper()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	config := &rest.Config{Host: server.URL}
	return answerOf(t, impatient(config), config)
}

func byContext(*rest.Config) asking {
	return func(ctx context.Context, client rest.Interface) error {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		return create(ctx, client)
	}
}

func byClient(config *rest.Config) asking {
	config.Timeout = 20 * time.Millisecond
	return create
}
