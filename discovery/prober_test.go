// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

const (
	listWithEvents = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"events.k8s.io/v1",` +
		`"resources":[{"name":"events","namespaced":true,"kind":"Event","verbs":["create","patch"]}]}`
	listWithoutEvents = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"events.k8s.io/v1",` +
		`"resources":[{"name":"eventlogs","namespaced":true,"kind":"EventLog","verbs":["create"]}]}`
)

// TestProbe has a row for each answer of a server, or of a proxy in front of it.
func TestProbe(t *testing.T) {
	const plain, jsonType = "text/plain; charset=utf-8", "application/json"
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    discovery.Support
		// is checks the cause of the error. It is nil if no error is expected.
		is func(error) bool
		// says is a part of the text of the error.
		says string
	}{
		{"served", apiserver.Text(200, jsonType, listWithEvents), discovery.Served, nil, ""},
		{"list without events", apiserver.Text(200, jsonType, listWithoutEvents), discovery.Unknown, isAny, "proxy"},
		{"sign-in page", apiserver.Text(200, "text/html", "<html>please sign in</html>"), discovery.Unknown, isAny, ""},
		{"version not served", status(404, metav1.StatusReasonNotFound, ""), discovery.NotServed, nil, ""},
		{"group not served", apiserver.UnknownPath, discovery.NotServed, nil, ""},
		{"group not served by 1.38", apiserver.UnknownPath138, discovery.NotServed, nil, ""},
		{"404 about an object", status(404, metav1.StatusReasonNotFound, "cluster-7"),
			discovery.Unknown, apierrors.IsNotFound, ""},
		{"401", status(401, metav1.StatusReasonUnauthorized, ""),
			discovery.Unknown, apierrors.IsUnauthorized, "credentials"},
		{"403", status(403, metav1.StatusReasonForbidden, ""),
			discovery.Unknown, apierrors.IsForbidden, "system:discovery"},
		{"429", apiserver.Text(429, plain, "slow down", "Retry-After", "1"),
			discovery.Unknown, apierrors.IsTooManyRequests, "ask again later"},
		{"503", apiserver.Text(503, plain, "starting", "Retry-After", "1"),
			discovery.Unknown, apierrors.IsServiceUnavailable, ""},
		{"connection cut", apiserver.Reset,
			discovery.Unknown, isAny, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client, server := newClient(func(w http.ResponseWriter, r *http.Request) {
				if got, want := r.Method+" "+r.URL.Path, "GET /apis/events.k8s.io/v1"; got != want {
					t.Errorf("request %q, want %q", got, want)
				}
				tt.handler(w, r)
			})
			got, err := discovery.NewProber(client).Probe(t.Context())
			if got != tt.want {
				t.Errorf("Probe() = %v, want %v", got, tt.want)
			}
			checkError(t, err, tt.is, tt.says)
			if got := len(server.Requests()); got != 1 {
				t.Errorf("%d requests, want 1: a probe must not be retried behind the caller's back", got)
			}
		})
	}
}

func isAny(err error) bool { return err != nil }

// checkError fails t unless err has the wanted cause and text. If is is nil, err must be nil.
func checkError(t *testing.T, err error, is func(error) bool, says string) {
	t.Helper()
	if is == nil {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	if !is(err) {
		t.Fatalf("error %v has the wrong cause", err)
	}
	if !strings.HasPrefix(err.Error(), "discovery: ") || !strings.Contains(err.Error(), says) {
		t.Errorf("error %q, want prefix %q and %q in it", err, "discovery: ", says)
	}
}

// TestTimeout measures in a bubble how long a caller waits for a server that never answers.
func TestTimeout(t *testing.T) {
	for name, ask := range map[string]func(context.Context, *discovery.Prober) error{
		"Probe":  func(ctx context.Context, p *discovery.Prober) error { _, err := p.Probe(ctx); return err },
		"Access": func(ctx context.Context, p *discovery.Prober) error { _, err := p.Access(ctx, "shop"); return err },
	} {
		for patience, want := range map[time.Duration]time.Duration{time.Hour: 10 * time.Second, 3 * time.Second: 3 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				start := time.Now()
				client, _ := newClient(apiserver.Hang)
				err := ask(ctx, discovery.NewProber(client))
				if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != want {
					t.Errorf("%s() = %v after %v, want deadline exceeded after %v, all requests together", name, err, took, want)
				}
			})
		}
	}
}

// A client that lacks parts, as the fakes of many tests do, or that panics, makes every answer
// unknown. The panic does not reach the caller.
//
// Caught: recovering from runtime errors only.
func TestClientWithoutParts(t *testing.T) {
	const parts = "use a client without nil parts"
	buggy, _ := newClient(func(http.ResponseWriter, *http.Request) { panic("a bug of the transport") })
	for name, tt := range map[string]struct {
		client kubernetes.Interface
		says   string
	}{
		"nil":                  {nil, parts},
		"typed nil":            {(*kubernetes.Clientset)(nil), parts},
		"zero":                 {&kubernetes.Clientset{}, parts},
		"without a RESTClient": {kubernetes.New(nil), parts},
		"embedded nil":         {struct{ kubernetes.Interface }{}, parts},
		"zero fake":            {&fake.Clientset{}, parts},
		"buggy":                {buggy, "a bug of the transport"},
	} {
		t.Run(name, func(t *testing.T) {
			prober := discovery.NewProber(tt.client)
			support, err := prober.Probe(t.Context())
			if support != discovery.Unknown {
				t.Errorf("Probe() = %v, want unknown", support)
			}
			checkError(t, err, isAny, tt.says)

			if _, ok := tt.client.(*fake.Clientset); ok {
				return // without reactors its answers are empty
			}
			access, err := prober.Access(t.Context(), "shop")
			if want := (discovery.Access{Namespace: "shop"}); access != want {
				t.Errorf("Access() = %+v, want %+v", access, want)
			}
			checkError(t, err, isAny, tt.says)
		})
	}
}

// newClient returns a client of a server that answers every request with handler.
func newClient(handler http.HandlerFunc) (kubernetes.Interface, *apiserver.Server) {
	server := apiserver.New()
	server.Answer("/", handler)
	return server.Client(), server
}

// status returns a handler that answers with a Status about the object details.
func status(code int32, reason metav1.StatusReason, details string) http.HandlerFunc {
	return apiserver.Object(int(code), &metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "scripted",
		Details: &metav1.StatusDetails{Name: details},
	})
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
