// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Manager contains the methods of controller-runtime's manager.Manager that [RecorderFor] and
// [ForManager] need. R stands for controller-runtime's type Runnable and C for its type Cache, so
// that this module need not import controller-runtime. The compiler infers R and C.
type Manager[R, C any] interface {
	// Add adds a runnable, which the manager starts and stops.
	Add(R) error
	// GetCache returns the manager's cache.
	GetCache() C
	// GetConfig returns the configuration for the adapter's client.
	GetConfig() *rest.Config
	// GetScheme returns the scheme in which recorders look up the kinds of objects.
	GetScheme() *runtime.Scheme
}

// RecorderFor returns a recorder of mgr's adapter whose Events have name as their reporting
// controller. It replaces the manager's method GetEventRecorderFor:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// The first call for mgr creates the adapter, as [ForManager] does without options. If that fails,
// RecorderFor logs the error and returns a recorder that drops every occurrence.
func RecorderFor[R, C any](mgr Manager[R, C], name string) *Recorder {
	a, err := ForManager(mgr)
	if err != nil {
		klog.Background().Error(err, "Events are not written", "advice", "not-started", "recorder", name)
		a = New(context.Background(), kubernetes.New(nil))
		a.Shutdown()
	}
	return a.Recorder(name)
}

// ForManager returns the adapter of mgr. The first call creates the adapter from the manager's
// configuration and scheme, as [NewForConfig] does, and adds it to mgr. Later calls return the same
// adapter.
//
// The manager starts the adapter before the controllers, whether it is the leader or not. After the
// controllers have stopped, it drains the adapter as part of its graceful shutdown. If the manager
// is never started, nothing is written: the adapter stays in memory until the process ends, runs no
// goroutine, and logs a reminder after a minute.
//
// ForManager returns an error in these cases:
//
//   - An option or the configuration is invalid, or mgr refuses the adapter.
//   - opts is not empty, but mgr already has an adapter.
//   - mgr is not comparable, so later calls could not find its adapter. Pass a pointer.
//   - A method of mgr panics, as in a test stub that embeds a nil interface.
//
// It is safe for concurrent use.
func ForManager[R, C any](mgr Manager[R, C], opts ...Option) (a *Adapter, err error) {
	if panicked := usercode.Call(func() { a, err = forManager(mgr, opts) }); panicked != nil {
		return nil, fmt.Errorf("adapter: a method of %T %w", mgr, panicked)
	}
	return a, err
}

// forManager is ForManager, except that it panics if a method of mgr panics.
func forManager[R, C any](mgr Manager[R, C], opts []Option) (*Adapter, error) {
	if !reflect.TypeOf(mgr).Comparable() {
		return nil, fmt.Errorf("adapter: a manager of type %T is not comparable; pass a pointer", mgr)
	}
	if a, ok := managed.Load(mgr); ok {
		if len(opts) > 0 {
			return nil, errors.New("adapter: this manager already has an adapter; " +
				"call ForManager with options before any RecorderFor")
		}
		return a.(*Adapter), nil
	}
	ctx := context.Background()
	if m, ok := mgr.(interface{ GetLogger() klog.Logger }); ok {
		ctx = klog.NewContext(ctx, m.GetLogger())
	}
	a, err := NewForConfig(ctx, mgr.GetConfig(), append([]Option{events.WithScheme(mgr.GetScheme())}, opts...)...)
	if err != nil {
		return nil, err
	}
	runnable, ok := any(&managedRun[R, C]{a, mgr}).(R)
	if !ok {
		a.Shutdown()
		return nil, fmt.Errorf("adapter: %T.Add must accept a runnable with Start(context.Context) error", mgr)
	}
	// A concurrent call may have made the adapter meanwhile.
	if _, ok := managed.LoadOrStore(mgr, a); ok {
		a.Shutdown()
		return forManager(mgr, opts)
	}
	added := false
	defer func() {
		// Add has returned an error or has panicked, so the manager does not start a. The next call
		// makes another adapter.
		if !added {
			managed.CompareAndDelete(mgr, a)
			a.Shutdown()
		}
	}()
	if err := mgr.Add(runnable); err != nil {
		return nil, err
	}
	added = true
	return a, nil
}

// managed maps each manager to its *Adapter, until the manager has stopped.
var managed sync.Map

// managedRun makes an adapter a runnable of its manager. It has a GetCache method because
// controller-runtime starts runnables with this method before the controllers and stops them after
// the controllers. A runnable without the method would be stopped while the controllers may still
// record.
type managedRun[R, C any] struct {
	adapter *Adapter
	mgr     Manager[R, C]
}

// GetCache returns the manager's own cache.
func (m *managedRun[R, C]) GetCache() C { return m.mgr.GetCache() }

// NeedLeaderElection returns false, because webhooks record Events even while the manager is not
// the leader.
func (m *managedRun[R, C]) NeedLeaderElection() bool { return false }

// Start runs the adapter until ctx ends, which happens after the controllers have stopped, and then
// drains it. If the adapter fails to start, Start logs the error and returns nil, because an error
// from a runnable would stop the manager.
func (m *managedRun[R, C]) Start(ctx context.Context) error {
	defer managed.CompareAndDelete(m.mgr, m.adapter)
	if err := m.adapter.Start(context.WithoutCancel(ctx)); err != nil {
		m.adapter.config.Logger.Error(err, "Events are not written", "advice", "not-started")
	}
	<-ctx.Done()
	m.adapter.Shutdown()
	return nil
}
