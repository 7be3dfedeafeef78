// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries"
)

// runnable and cache are what controller-runtime has its own names for.
type (
	runnable interface {
		Start(ctx context.Context) error
	}
	cached   interface{ GetCache() string }
	standby  interface{ NeedLeaderElection() bool }
	strange  interface{ Unknown() }
	ofClocks struct{ fakeManager }
)

func (ofClocks) Add(strange) error { return nil }

// fakeManager has the methods of a manager.
type fakeManager struct {
	config rest.Config
	added  *[]runnable
	refuse error
}

func (m fakeManager) Add(r runnable) error {
	if m.refuse == nil {
		*m.added = append(*m.added, r)
	}
	return m.refuse
}
func (m fakeManager) GetCache() string           { return "the manager's" }
func (m fakeManager) GetConfig() *rest.Config    { return &m.config }
func (m fakeManager) GetScheme() *runtime.Scheme { return runtime.NewScheme() }

// Caught: an adapter per call; a runnable that needs leadership, or has no cache
// and so ends before the controllers; Start without Shutdown; the entry kept.
func TestRecorderForRunsOneAdapterWithTheManager(t *testing.T) {
	var creates atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/events") {
			creates.Add(1)
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = io.Copy(w, r.Body)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	config := rest.Config{Host: server.URL, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}
	mgr := &fakeManager{config: config, added: new([]runnable)}
	first, second := RecorderFor(mgr, "first").(*Recorder), RecorderFor(mgr, "second").(*Recorder)
	if first.a != second.a || len(*mgr.added) != 1 {
		t.Fatalf("two recorders of one manager: %d runnables", len(*mgr.added))
	}
	run := (*mgr.added)[0]
	if c, ok := run.(cached); !ok || c.GetCache() != "the manager's" {
		t.Error("the runnable is not among those with a cache, which end after the controllers")
	}
	if s, ok := run.(standby); !ok || s.NeedLeaderElection() {
		t.Error("the runnable waits for leadership")
	}
	second.Eventf(&corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: "web"}, nil,
		corev1.EventTypeNormal, "Scaled", "Scale", "scaled")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if creates.Load() == 0 {
		t.Error("the end of the manager wrote nothing")
	}
	if again, err := ForManager(mgr); err != nil || again == first.a {
		t.Errorf("after its end the manager still has the adapter that ended (%v)", err)
	}
}

// ownHTTPClient is a manager with its own HTTP client, as controller-runtime's are.
type ownHTTPClient struct{ *fakeManager }

func (m ownHTTPClient) GetHTTPClient() *http.Client {
	client, err := rest.HTTPClientFor(m.GetConfig())
	if err != nil {
		panic(err)
	}
	return client
}

// bareHTTPClient has no transport of its own.
type bareHTTPClient struct{ *fakeManager }

func (bareHTTPClient) GetHTTPClient() *http.Client { return &http.Client{} }

// Caught: the User-Agent of the manager's HTTP client alone, whatever the configuration says.
func TestForManagerNamesTheSDK(t *testing.T) {
	heard := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		heard <- r.UserAgent()
		w.WriteHeader(http.StatusNotFound)
	}))
	defer server.Close()
	mgr := &fakeManager{config: rest.Config{Host: server.URL, UserAgent: "component/v1"}}
	for name, m := range map[string]Manager[runnable, string]{
		"configuration": mgr, "HTTP client": ownHTTPClient{mgr}, "bare HTTP client": bareHTTPClient{mgr},
	} {
		client, err := clientOf(m)
		if err != nil {
			t.Fatal(err)
		}
		_ = client.CoreV1().RESTClient().Get().Do(t.Context()).Error()
		if got, want := <-heard, "component/v1 eventseries/"+eventseries.Version(); got != want {
			t.Errorf("%s: User-Agent %q, want %q", name, got, want)
		}
	}
}

// Caught: an error left out.
func TestForManagerErrors(t *testing.T) {
	refusal := errors.New("refused")
	host := rest.Config{Host: "http://localhost"}
	tests := map[string]struct {
		make func() error
		want string
	}{
		"not comparable": {func() error { _, err := ForManager(sliceManager{}); return err }, "hand in a pointer"},
		"no client": {func() error {
			_, err := ForManager(&fakeManager{config: rest.Config{Host: "://"}})
			return err
		}, "a client of the manager's configuration"},
		"another runnable": {func() error {
			_, err := ForManager(&ofClocks{fakeManager{config: host}})
			return err
		}, "takes no runnable"},
		"refused": {func() error {
			_, err := ForManager(&fakeManager{config: host, refuse: refusal})
			return err
		}, "refused"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if err := test.make(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	// A recorder that cannot write takes events all the same.
	recorder := RecorderFor(&fakeManager{config: rest.Config{Host: "://"}}, "broken")
	recorder.Eventf(&corev1.ObjectReference{Kind: "Pod", Name: "web"}, nil, "Normal", "Scaled", "Scale", "scaled")
}

type sliceManager struct {
	fakeManager
	_ []int
}
