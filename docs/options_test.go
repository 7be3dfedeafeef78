// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The output on options.md.
//
// Caught: a default finish interval of eleven minutes; a full cache that drops the Warning.
func TestOptionsShowTheirEffect(t *testing.T) {
	var out strings.Builder
	scenario := func(title string, opts []events.Option, run func(*testing.T, *strings.Builder, ...events.Option)) {
		fmt.Fprintf(&out, "# %s\n", title)
		synctest.Test(t, func(t *testing.T) { run(t, &out, opts...) })
		out.WriteByte('\n')
	}
	scenario("a failure every ten minutes", nil, failEveryTenMinutes)
	scenario("the same", []events.Option{events.WithFinishInterval(20 * time.Minute)}, failEveryTenMinutes)
	scenario("a failure every two hours", []events.Option{events.WithFinishInterval(3 * time.Hour)}, failEveryTwoHours)
	scenario("three processes, one after the other", nil, crashThreeTimes)
	scenario("the same", []events.Option{events.WithSharedCounts()}, crashThreeTimes)
	scenario("a full cache", []events.Option{events.WithMaxSeries(2)}, fillTheCache)
	holdShown(t, "options.txt", out.String())
}

// failEveryTenMinutes is a controller that reconciles an object every ten minutes, and fails for an hour.
func failEveryTenMinutes(t *testing.T, out *strings.Builder, opts ...events.Option) {
	s := newServer()
	b, recorder := begin(t, s, opts...)
	web := object("Deployment", "web")
	for minute := range 61 {
		if minute%10 == 0 {
			recorder.Eventf(web, nil, "Warning", "SyncFailed", "Sync", "the registry does not answer")
		}
		time.Sleep(time.Minute)
	}
	out.WriteString(s.timeline())
	b.Shutdown()
}

// failEveryTwoHours is a controller whose server keeps Events for an hour.
func failEveryTwoHours(t *testing.T, out *strings.Builder, opts ...events.Option) {
	s := newServer()
	s.SetTTL(time.Hour)
	b, recorder := begin(t, s, opts...)
	for range 3 {
		recorder.Eventf(object("Deployment", "web"), nil, "Warning", "SyncFailed", "Sync", "the registry does not answer")
		time.Sleep(2 * time.Hour)
	}
	out.WriteString(s.timeline())
	b.Shutdown()
}

// crashThreeTimes is a component that is killed a minute after it has recorded two occurrences, and starts again.
func crashThreeTimes(t *testing.T, out *strings.Builder, opts ...events.Option) {
	s := newServer()
	for range 3 {
		b, recorder := begin(t, s, opts...)
		for range 2 {
			recorder.Eventf(object("Deployment", "web"), nil, "Warning", "SyncFailed", "Sync", "out of memory")
		}
		time.Sleep(time.Minute)
		b.Shutdown()
	}
	out.WriteString(s.stored())
}

// fillTheCache records four different Events before anything can be written, with room for two.
func fillTheCache(t *testing.T, out *strings.Builder, opts ...events.Option) {
	s := newServer()
	onDrop := events.WithDropHandler(func(d events.Drop) {
		fmt.Fprintf(out, "dropped as %s: %s about %s\n", d.Reason, d.Type, d.Regarding.Name)
	})
	b := events.NewBroadcaster(s, append(opts, onDrop, events.WithLogger(klog.Logger{}))...)
	recorder := b.Recorder(scheme.Scheme, "example.com/my-controller")
	for _, name := range []string{"web-1", "web-2", "web-3"} {
		recorder.Eventf(object("Pod", name), nil, "Normal", "Pulled", "Pull", "the image is present")
	}
	recorder.Eventf(object("Pod", "web-4"), nil, "Warning", "Failed", "Pull", "the image does not exist")
	if err := b.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	out.WriteString(s.stored())
}

// manager is a manager of controller-runtime that is never started.
type manager struct{ config *rest.Config }

func (*manager) Add(any) error              { return nil }
func (*manager) GetCache() any              { return nil }
func (m *manager) GetConfig() *rest.Config  { return m.config }
func (*manager) GetScheme() *runtime.Scheme { return scheme.Scheme }

// newRecorder has the lines of options.md that pass an option to the adapter of a manager.
func newRecorder(mgr *manager) (*adapter.Recorder, error) {
	if _, err := adapter.ForManager(mgr, events.WithFinishInterval(20*time.Minute)); err != nil {
		return nil, err
	}
	return adapter.RecorderFor(mgr, "my-controller"), nil
}

// The recorder of a manager has the options that ForManager was given before.
//
// Caught: an option that is left out.
func TestOptionOfAManager(t *testing.T) {
	mgr := &manager{config: apiserver.New().Config()}
	if _, err := newRecorder(mgr); err != nil {
		t.Fatal(err)
	}
	a, err := adapter.ForManager(mgr)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"WithFinishInterval(20m0s)"}, a.Snapshot(0).Options); diff != "" {
		t.Errorf("options of the adapter (-want +got):\n%s", diff)
	}
}

// An adapter is made from a copy of the configuration, with a higher limit.
//
// Caught: a QPS that is not above the number of different Events of options.md.
func TestClientForManyDifferentEvents(t *testing.T) {
	ctx, config := t.Context(), &rest.Config{Host: "http://localhost"}
	own := config
	config = rest.CopyConfig(config) // the other clients of the component keep their limit
	config.QPS = 300
	config.Burst = 600
	a, err := adapter.NewForConfig(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	a.Shutdown()
	if config.QPS*60 <= 10_000 || own.QPS != 0 {
		t.Errorf("the limits are %v and %v", config.QPS, own.QPS)
	}
}
