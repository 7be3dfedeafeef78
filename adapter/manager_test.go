// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries"
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

// Caught: the manager's User-Agent alone.
func TestForManagerNamesTheSDK(t *testing.T) {
	server := apiserver.New()
	mgr := &fakeManager{config: *server.Config(), added: new([]runnable)}
	mgr.config.UserAgent = "component/v1"
	recorder := RecorderFor(mgr, "controller")
	recorder.Eventf(&corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: "web"}, nil,
		corev1.EventTypeNormal, "Scaled", "Scale", "scaled")
	a, _ := ForManager(mgr)
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, want := server.Requests()[0].Header.Get("User-Agent"), "component/v1 eventseries/"+eventseries.Version()
	if got != want {
		t.Errorf("User-Agent %q, want %q", got, want)
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
		"not comparable": {func() error { _, err := ForManager(sliceManager{}); return err }, "pass a pointer"},
		"no client": {func() error {
			_, err := ForManager(&fakeManager{config: rest.Config{Host: "://"}})
			return err
		}, "cannot make a client"},
		"another runnable": {func() error {
			_, err := ForManager(&ofClocks{fakeManager{config: host}})
			return err
		}, "must accept a runnable"},
		"bad options": {func() error {
			_, err := ForManager(&fakeManager{config: host}, WithMode("v2"))
			return err
		}, `WithMode: mode "v2"`},
		"bad options of events": {func() error {
			_, err := ForManager(&fakeManager{config: host}, events.WithMaxInFlight(-1))
			return err
		}, "events: WithMaxInFlight(-1)"},
		"options that come too late": {func() error {
			mgr := &fakeManager{config: host, added: new([]runnable)}
			RecorderFor(mgr, "first")
			if _, err := ForManager(mgr); err != nil {
				return err
			}
			_, err := ForManager(mgr, WithMode(CoreV1))
			return err
		}, "call ForManager with options before any RecorderFor"},
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

// callsBack is a manager whose Add asks for a recorder itself.
type callsBack struct{ fakeManager }

func (m *callsBack) Add(r runnable) error {
	RecorderFor(m, "inner")
	return m.fakeManager.Add(r)
}

// Caught: a lock that is held while the manager is called.
func TestForManagerMayBeCalledBack(t *testing.T) {
	mgr := &callsBack{fakeManager{config: rest.Config{Host: "http://localhost"}, added: new([]runnable)}}
	RecorderFor(mgr, "outer")
	if n := len(*mgr.added); n != 1 {
		t.Errorf("%d runnables, want the adapter once", n)
	}
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

// controller-runtime ends the controllers' context first, and that of runnables with a cache when the controllers have
// returned: what they record on their way out is written, and the manager waits for no grace.
//
// Caught: a runnable that takes nothing after the first of the contexts; one that waits for somebody to call Shutdown.
func TestWhatControllersRecordOnTheirWayOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mgr := &fakeManager{config: *apiserver.New().Config(), added: new([]runnable)}
		rec := RecorderFor(mgr, "controller")
		a, _ := ForManager(mgr)
		web := &corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: "default", Name: "web", UID: "1"}
		say := func(reason string) {
			rec.Eventf(web, nil, corev1.EventTypeNormal, reason, reason, "bye")
			time.Sleep(time.Second)
		}
		controllers, endControllers := context.WithCancel(t.Context())
		caches, endCaches := context.WithCancel(t.Context())
		var running, controller sync.WaitGroup
		running.Go(func() { _ = (*mgr.added)[0].Start(caches) })
		controller.Go(func() {
			say("Working")
			<-controllers.Done()
			say("Stopping")
			say("Stopped")
		})
		time.Sleep(time.Minute)
		endControllers()
		controller.Wait()
		began := time.Now()
		endCaches()
		running.Wait()
		if s := a.Stats(); s.Recorded != 3 || s.Observed != 3 {
			t.Errorf("%+v, want all 3 recorded", s)
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("the manager waited for %v", waited)
		}
	})
}
