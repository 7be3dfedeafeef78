// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	clientgo "github.com/eventseries/eventseries/events/testdata/clientgo"
	eventseries "github.com/eventseries/eventseries/events/testdata/eventseries"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// The names are client-go's own types, so that values pass between code that is migrated and code that is not.
var (
	_ clientevents.EventBroadcaster    = (events.EventBroadcaster)(nil)
	_ clientevents.EventRecorder       = (events.EventRecorder)(nil)
	_ clientevents.EventRecorderLogger = (events.EventRecorderLogger)(nil)
	_ events.EventBroadcaster          = (*events.Broadcaster)(nil)
	_ events.Sink                      = (clientevents.EventSink)(nil)
	_ *clientevents.FakeRecorder       = (*events.FakeRecorder)(nil)
	_ clientevents.EventSinkImpl       = events.EventSinkImpl{}
	_ events.EventBroadcasterAdapter   = (clientevents.EventBroadcasterAdapter)(nil)
)

// A component that was written against client-go/tools/events migrates by changing one import line.
func TestMigrationIsOneImportLine(t *testing.T) {
	read := func(dir string) []string {
		source, err := os.ReadFile("testdata/" + dir + "/component.go")
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(source), "\n")
	}
	before, after := read("clientgo"), read("eventseries")
	if len(before) != len(after) {
		t.Fatalf("%d lines before, %d after", len(before), len(after))
	}
	var changed []string
	for i := range before {
		if before[i] != after[i] {
			changed = append(changed, before[i], after[i])
		}
	}
	want := []string{"\t\"k8s.io/client-go/tools/events\"", "\t\"github.com/eventseries/eventseries/events\""}
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("changed lines (-want +got):\n%s", diff)
	}
}

// client-go's and the SDK's variant of one component.
type variant struct {
	run    func(kubernetes.Interface, klog.Logger, func(*eventsv1.Event)) (work, stop func(), err error)
	runCtx func(context.Context, kubernetes.Interface) (work, stop func(), err error)
	fake   func() string
}

var variants = map[string]variant{
	"client-go": {
		run: func(c kubernetes.Interface, l klog.Logger, seen func(*eventsv1.Event)) (work, stop func(), err error) {
			component, err := clientgo.New(c, l, seen)
			return func() { clientgo.Work(component.Recorder, newPod("web"), newPod("peer")) }, component.Stop, err
		},
		runCtx: func(ctx context.Context, c kubernetes.Interface) (work, stop func(), err error) {
			recorder, stop, err := clientgo.NewWithContext(ctx, c)
			return func() { clientgo.Work(recorder, newPod("web"), newPod("peer")) }, stop, err
		},
		fake: func() string { return clientgo.Fake(newPod("web")) },
	},
	"eventseries": {
		run: func(c kubernetes.Interface, l klog.Logger, seen func(*eventsv1.Event)) (work, stop func(), err error) {
			component, err := eventseries.New(c, l, seen)
			return func() { eventseries.Work(component.Recorder, newPod("web"), newPod("peer")) }, component.Stop, err
		},
		runCtx: func(ctx context.Context, c kubernetes.Interface) (work, stop func(), err error) {
			recorder, stop, err := eventseries.NewWithContext(ctx, c)
			return func() { eventseries.Work(recorder, newPod("web"), newPod("peer")) }, stop, err
		},
		fake: func() string { return eventseries.Fake(newPod("web")) },
	},
}

// Differential: both variants write, log and show the same.
func TestMigratedComponentDoesTheSame(t *testing.T) {
	type outcome struct {
		Stored, Seen, WithContext []eventsv1.Event
		Logged                    []string
		Fake                      string
	}
	got := map[string]outcome{}
	for name, v := range variants {
		synctest.Test(t, func(t *testing.T) {
			var o outcome
			client, log := eventstest.NewClientset(), &testlog.Log{}
			work, stop, err := v.run(client, klog.New(log), func(e *eventsv1.Event) { o.Seen = append(o.Seen, *e) })
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				work()
				synctest.Wait()
			}
			stop()
			o.Stored, o.Logged, o.Fake = client.Events(), log.Take(), v.fake()

			ctx, cancel := context.WithCancel(t.Context())
			client = eventstest.NewClientset()
			if work, stop, err = v.runCtx(ctx, client); err != nil {
				t.Fatal(err)
			}
			work()
			synctest.Wait()
			cancel()
			stop()
			synctest.Wait()
			o.WithContext = client.Events()
			got[name] = o
		})
	}
	generated := cmpopts.IgnoreFields(metav1.ObjectMeta{}, "Name")
	if diff := cmp.Diff(got["client-go"], got["eventseries"], generated); diff != "" {
		t.Errorf("(-client-go +eventseries):\n%s", diff)
	}
	o := got["eventseries"]
	if len(o.Stored) != 1 || count(&o.Stored[0]) != 2 || len(o.Seen) != 2 || len(o.Logged) != 2 {
		t.Errorf("not much of a test: %+v", o)
	}
}

func TestGetFieldSelectorIsThatOfClientGo(t *testing.T) {
	terms := func(selector fields.Selector, err error) []string {
		if err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(strings.SplitSeq(selector.String(), ","))
	}
	if diff := cmp.Diff(terms(clientgo.Selector("web")), terms(eventseries.Selector("web"))); diff != "" {
		t.Errorf("(-client-go +eventseries):\n%s", diff)
	}
}

// An EventSinkImpl without a client has no sink to write to: Start says so instead of a worker that crashes.
func TestEventSinkImplWithoutAClient(t *testing.T) {
	for _, sink := range []*events.EventSinkImpl{nil, {}} {
		b := events.NewBroadcaster(sink, quiet)
		if err := b.Start(t.Context()); err == nil {
			t.Error("Start: no error")
		}
		record(newRecorder(b), 1, "web")
		b.Shutdown()
	}
}
