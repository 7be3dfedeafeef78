// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/parity"
)

// The clientset of eventstest answers the requests of internal/testkit/parity as a kube-apiserver
// does. test/e2e sends the same requests to a kube-apiserver.
//
// Caught: a patch whose type is lost; a list without its selectors; a dry run that stores.
func TestParity(t *testing.T) {
	for _, file := range parity.Load() {
		for _, scene := range file.Scenes {
			t.Run(file.Name+"/"+strings.Join(scene.Title, " "), func(t *testing.T) {
				answers, err := cluster().Run(t.Context(), scene)
				if err != nil {
					t.Error(err)
				}
				for i, answer := range answers {
					row := scene.Rows[i]
					if diff := cmp.Diff(row.FromKit(), answer); diff != "" {
						t.Errorf("table/%s:%d: %s (-want +got):\n%s", file.Name, row.Line, row.Request, diff)
					}
				}
			})
		}
	}
}

// cluster returns a Cluster with a server for each of the two users, because one server cannot tell
// who sends a request.
func cluster() *parity.Cluster {
	const here = "parity-here"
	admin, user := apiserver.New(), apiserver.New()
	user.Authorize(func(r eventstest.Request) bool {
		return r.Group == "events.k8s.io" && r.Resource == "events" && r.Namespace == here &&
			(r.Verb == "create" || r.Verb == "patch")
	})
	return &parity.Cluster{
		Client: admin.Client(), Watches: admin.Clientset, User: user.Client(),
		Namespace: here, Terminating: "parity-gone",
		Terminate: func(ctx context.Context, namespace string) error {
			_, err := admin.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{
				ObjectMeta: metav1.ObjectMeta{Name: namespace},
				Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating},
			}, metav1.CreateOptions{})
			return err
		},
	}
}

func get(t *testing.T, client kubernetes.Interface) error {
	t.Helper()
	request := client.CoreV1().RESTClient().Get().Namespace("default").Resource("events").Name("e")
	return request.MaxRetries(0).Do(t.Context()).Error()
}

// Each fault looks the same to a client through RoundTrip and through a socket.
func TestFaults(t *testing.T) {
	for name, connect := range map[string]func(*testing.T, *apiserver.Server) kubernetes.Interface{
		"RoundTrip": func(_ *testing.T, s *apiserver.Server) kubernetes.Interface { return s.Client() },
		"socket": func(t *testing.T, s *apiserver.Server) kubernetes.Interface {
			// With keep-alive the transport would retry a request after the connection broke.
			listener, transport := httptest.NewServer(s), &http.Transport{DisableKeepAlives: true}
			t.Cleanup(listener.Close)
			return kubernetes.NewForConfigOrDie(&rest.Config{Host: listener.URL, Transport: transport, QPS: -1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			const path = "GET /api/v1/namespaces/default/events/{name}"
			s := apiserver.New()
			client := connect(t, s)
			if err := get(t, client); !apierrors.IsNotFound(err) {
				t.Errorf("%v, want 404", err)
			}
			s.Answer(path, apiserver.Refuse(apierrors.NewForbidden(schema.GroupResource{}, "e", nil)))
			if err := get(t, client); !apierrors.IsForbidden(err) {
				t.Errorf("%v, want 403", err)
			}
			s.Answer(path, apiserver.Text(http.StatusBadGateway, "text/plain", "no"))
			if err := get(t, client); err == nil || !strings.Contains(err.Error(), `"no"`) {
				t.Errorf("%v, want the text of the 502", err)
			}
			s.Answer(path, apiserver.Reset)
			if err := get(t, client); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v, want a broken connection", err)
			}
			s.Answer(path, nil)
			s.Fail(func(context.Context, eventstest.Request) error { return io.ErrClosedPipe })
			if err := get(t, client); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v, want a broken connection", err)
			}
			s.Fail(func(context.Context, eventstest.Request) error { return apierrors.NewTooManyRequests("no", 0) })
			if err := get(t, client); !apierrors.IsTooManyRequests(err) {
				t.Errorf("%v, want 429", err)
			}
			if n := s.Count("GET /api/v1/namespaces/default/events/e"); n != 6 {
				t.Errorf("%d requests, want 6: %v", n, s.Requests())
			}
		})
	}
}

func TestHangEndsWithTheContext(t *testing.T) {
	s := apiserver.New()
	arrived := make(chan struct{})
	s.Answer("/", func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		apiserver.Hang(w, r)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	for range 2 {
		_, err := s.Client().CoreV1().Events("default").Get(ctx, "e", metav1.GetOptions{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the end of the context", err)
		}
	}
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d requests, want 1: the second had no time left", n)
	}
}
