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

// Manager has the methods of controller-runtime's manager.Manager that [RecorderFor]
// needs. R is its Runnable and C its Cache; the compiler infers both. So this module
// need not import controller-runtime.
type Manager[R, C any] interface {
	// Add adds a runnable, such as the adapter.
	Add(R) error
	// GetCache returns the manager's cache. A runnable with a cache ends last.
	GetCache() C
	// GetConfig returns the configuration for the adapter's client.
	GetConfig() *rest.Config
	// GetScheme returns the scheme with the kinds of objects.
	GetScheme() *runtime.Scheme
}

// RecorderFor returns a recorder of mgr's adapter, with the reporting controller name.
// It replaces the manager's GetEventRecorderFor:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// The first call makes the adapter, see [ForManager]. If that fails, RecorderFor logs
// the error, and the recorder drops all events.
func RecorderFor[R, C any](mgr Manager[R, C], name string) *Recorder {
	a, err := ForManager(mgr)
	if err != nil {
		klog.Background().Error(err, "Events are not written", "advice", "not-started", "recorder", name)
		a = New(context.Background(), kubernetes.New(nil))
		a.Shutdown()
	}
	return a.Recorder(name)
}

// ForManager returns the one adapter that belongs to mgr. Options are for the
// first call. Invalid options, options for an adapter that exists, a mgr that is not
// comparable, as a pointer is, and one whose methods panic, as those that a test's stub has from
// an interface, are an error.
//
// The manager starts the adapter before the controllers, with or without
// leadership, and drains it when they have ended, within the manager's graceful
// shutdown. The adapter is that of [NewForConfig] with the manager's configuration and scheme.
// A manager that is never started keeps its adapter, which has no goroutine, for the
// life of the process.
func ForManager[R, C any](mgr Manager[R, C], opts ...Option) (a *Adapter, err error) {
	if panicked := usercode.Call(func() { a, err = forManager(mgr, opts) }); panicked != nil {
		return nil, fmt.Errorf("adapter: a method of %T %w", mgr, panicked)
	}
	return a, err
}

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
	if _, ok := managed.LoadOrStore(mgr, a); ok { // a concurrent call made it
		a.Shutdown()
		return forManager(mgr, opts)
	}
	added := false
	defer func() {
		// Add has returned an error, or has panicked. The next call makes another adapter.
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

// managed has the *Adapter of each manager that has not ended.
var managed sync.Map

// managedRun is the adapter as a runnable of its manager. It has a cache because
// controller-runtime starts runnables with one first and ends them when all
// controllers have returned; those without end before the controllers do.
type managedRun[R, C any] struct {
	adapter *Adapter
	mgr     Manager[R, C]
}

// GetCache returns the manager's own cache.
func (m *managedRun[R, C]) GetCache() C { return m.mgr.GetCache() }

// NeedLeaderElection returns false: a webhook or a standby records Events too.
func (m *managedRun[R, C]) NeedLeaderElection() bool { return false }

// Start runs the adapter until ctx ends, and then drains it. Everything that
// records has returned by then. An error would end the manager, so it is logged.
func (m *managedRun[R, C]) Start(ctx context.Context) error {
	defer managed.CompareAndDelete(m.mgr, m.adapter)
	if err := m.adapter.Start(context.WithoutCancel(ctx)); err != nil {
		m.adapter.config.Logger.Error(err, "Events are not written", "advice", "not-started")
	}
	<-ctx.Done()
	m.adapter.Shutdown()
	return nil
}
