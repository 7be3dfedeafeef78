// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
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
	panics bool // Add does
}

func (m fakeManager) Add(r runnable) error {
	if m.panics {
		panic("Add")
	}
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
	server := apiserver.New()
	mgr := &fakeManager{config: *server.Config(), added: new([]runnable)}
	first, second := RecorderFor(mgr, "first"), RecorderFor(mgr, "second")
	first.Eventf(&corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: "web"}, nil,
		corev1.EventTypeNormal, "Scaled", "Scale", "scaled")
	a, err := ForManager(mgr)
	if err != nil || len(*mgr.added) != 1 {
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
	if len(server.Events()) != 2 || a.Stats().Recorded != 2 {
		t.Error("the end of the manager did not write what both recorded")
	}
	if again, err := ForManager(mgr); err != nil || again == a {
		t.Errorf("after its end the manager still has the adapter that ended (%v)", err)
	}
}

// Caught: an error left out.
func TestForManagerErrors(t *testing.T) {
	host := rest.Config{Host: "http://localhost"}
	used := &fakeManager{config: host, added: new([]runnable)}
	RecorderFor(used, "first")
	check := func(want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, row := range map[string]struct {
		manager *fakeManager
		opts    []Option
	}{
		"cannot make a client":      {&fakeManager{config: rest.Config{Host: "://"}}, nil},
		`WithMode: mode "v2"`:       {&fakeManager{config: host}, []Option{WithMode("v2")}},
		"events: WithMaxSeries(-1)": {&fakeManager{config: host}, []Option{events.WithMaxSeries(-1)}},
		"refused":                   {&fakeManager{config: host, refuse: errors.New("refused")}, nil},
		"before any RecorderFor":    {used, []Option{WithMode(ModeCoreV1)}},
	} {
		_, err := ForManager(row.manager, row.opts...)
		check(want, err)
	}
	_, err := ForManager(sliceManager{})
	check("pass a pointer", err)
	_, err = ForManager(&ofClocks{fakeManager{config: host}})
	check("must accept a runnable", err)
	_, err = ForManager(&stubManager{})
	check("a method of *adapter.stubManager panicked", err)
	// A recorder that cannot write takes events all the same.
	recorder := RecorderFor(&stubManager{}, "broken")
	recorder.Eventf(&corev1.ObjectReference{Kind: "Pod", Name: "web"}, nil, "Normal", "Scaled", "Scale", "scaled")
}

// A manager whose Add fails has no adapter: the next call makes one, which the manager starts.
//
// Caught: after a panic, an adapter that nobody starts, for every recorder of the manager; the end of a runnable that was
// kept in spite of the failure, which ends the adapter of the manager.
func TestManagerWhoseAddFailed(t *testing.T) {
	for name, fail := range map[string]func(*fakeManager){
		"an error": func(m *fakeManager) { m.refuse = errors.New("refused") },
		"a panic":  func(m *fakeManager) { m.panics = true },
	} {
		t.Run(name, func(t *testing.T) {
			mgr := &fakeManager{config: *apiserver.New().Config(), added: new([]runnable)}
			fail(mgr)
			if _, err := ForManager(mgr); err == nil {
				t.Fatal("no error")
			}
			mgr.refuse = nil
			mgr.panics = false
			a, err := ForManager(mgr, events.WithLogger(klog.Logger{}))
			if err != nil || len(*mgr.added) != 1 {
				t.Fatalf("%d runnables, error %v, want one runnable", len(*mgr.added), err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			failed := New(t.Context(), kubernetes.New(nil), events.WithLogger(klog.Logger{}))
			_ = (&managedRun[runnable, string]{failed, mgr}).Start(ctx)
			if again, err := ForManager(mgr); err != nil || again != a {
				t.Errorf("another adapter (%v) after the end of the one that failed", err)
			}
			_ = (*mgr.added)[0].Start(ctx)
		})
	}
}

// stubManager is a manager of a test that needs few of its methods.
type stubManager struct{ Manager[runnable, string] }

type sliceManager struct {
	fakeManager
	_ []int
}

func TestForManagerConcurrentSafe(t *testing.T) {
	mgr := &fakeManager{config: rest.Config{Host: "http://localhost"}, added: new([]runnable)}
	var callers sync.WaitGroup
	adapters := make([]*Adapter, 8)
	for i := range adapters {
		callers.Go(func() { adapters[i], _ = ForManager(mgr) })
	}
	callers.Wait()
	for _, a := range adapters {
		if a != adapters[0] || len(*mgr.added) != 1 {
			t.Fatalf("%d runnables, want one adapter for all: %p", len(*mgr.added), adapters)
		}
	}
}

// The manager goes on, whatever keeps its adapter from being started.
//
// Caught: the error of the adapter's Start.
func TestAManagerGoesOnWithoutEvents(t *testing.T) {
	mgr := &fakeManager{config: rest.Config{Host: "http://localhost"}, added: new([]runnable)}
	a, err := ForManager(mgr, events.WithLogger(klog.Logger{}))
	if err != nil {
		t.Fatal(err)
	}
	a.Shutdown()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (*mgr.added)[0].Start(ctx); err != nil {
		t.Errorf("Start() = %v, want nil: it would end the manager", err)
	}
}
