// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	clientrecord "k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

var update = flag.Bool("update", false, "write what is measured to testdata")

const golden = "testdata/leaks.txt"

// untilShutdown is how many goroutines of the SDK may be left: those of a broadcaster of package legacy whose sink is
// stopped, and which nobody has shut down.
const untilShutdown = 2

// What each situation leaves behind, as goleak without any option sees it after its own retries. docs/testing.md links to
// the table. A busy machine may need more patience than goleak has: then everything is measured once more. The table is
// of the client-go that go.mod names; with another one (make compat) only the SDK's part is held.
//
// Caught: a Shutdown of the SDK that does nothing unless something was recorded; a logging that its stop does not end.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("goleak waits for each goroutine that is left")
	}
	var got string
	var ours int
	for range 3 {
		got, ours = measured(t)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if ours == untilShutdown && (got == read(t, golden) || usesAnotherClientGo(t)) {
			return
		}
	}
	t.Errorf("the SDK leaves %d goroutines, want %d; %s (-want +got; rewrite it with -update):\n%s",
		ours, untilShutdown, golden, cmp.Diff(read(t, golden), got))
}

// measured is the table, and how many goroutines of it are the SDK's.
func measured(t *testing.T) (table string, ours int) {
	var text strings.Builder
	fmt.Fprintf(&text, "%-57s%20s%13s\n", "goroutines left behind", clientGoVersion(t), "eventseries")
	of := ""
	for _, s := range situations {
		if s.of != of {
			of = s.of
			fmt.Fprintln(&text, of)
		}
		theirs, sdks := leaks(t, s, clientGo), leaks(t, s, sdk)
		fmt.Fprintf(&text, "  %-55s%20d%13d\n", s.name, len(theirs), len(sdks))
		byCreator := map[string]int{}
		for _, g := range append(theirs, sdks...) {
			byCreator[g.String()]++
		}
		for _, who := range slices.Sorted(maps.Keys(byCreator)) {
			fmt.Fprintf(&text, "      %d by %s\n", byCreator[who], who)
		}
		ours += len(sdks)
	}
	return text.String(), ours
}

// leaks measures one situation. The cleanups of the subtest end what it leaves behind; client-go does not wait for
// that, so the next one begins with a wait.
func leaks(t *testing.T, s situation, k kit) (found []goroutine) {
	t.Run(s.of+" "+s.name, func(t *testing.T) {
		goleak.VerifyNone(t)
		s.leave(t, k)
		found = goroutines(goleak.Find())
	})
	return found
}

func usesAnotherClientGo(t *testing.T) bool {
	used, err := exec.Command("go", "list", "-m", "-f", "client-go {{.Version}}", "k8s.io/client-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(used)) != clientGoVersion(t)
}

func clientGoVersion(t *testing.T) string {
	for line := range strings.Lines(read(t, "../../../go.mod")) {
		if version, ok := strings.CutPrefix(strings.TrimSpace(line), "k8s.io/client-go "); ok {
			return "client-go " + version
		}
	}
	t.Fatal("go.mod requires no client-go")
	return ""
}

func read(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// situation is a way in which a test leaves a recorder behind. What it leaks ends with the cleanup of the test.
type situation struct {
	of, name string
	leave    func(t *testing.T, k kit)
}

var situations = []situation{
	{"events.NewBroadcaster", "never started", func(t *testing.T, k kit) {
		k.events(t, answering())
	}},
	{"events.NewBroadcaster", "logging, which is stopped", func(t *testing.T, k kit) {
		stop, err := k.events(t, answering()).StartLogging(klog.Background().V(10))
		if err != nil {
			t.Fatal(err)
		}
		stop()
	}},
	{"events.NewBroadcaster", "started; its context ends", func(t *testing.T, k kit) {
		_, cancel := k.startedEvents(t, answering())
		cancel()
	}},
	{"events.NewBroadcaster", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedEvents(t, answering())
		broadcaster.Shutdown()
	}},
	{"events.NewBroadcaster", "started; a write is being retried; Shutdown", func(t *testing.T, k kit) {
		server := unreachable()
		broadcaster, _ := k.startedEvents(t, server)
		record(newShape(broadcaster), 1)
		<-server.asked
		broadcaster.Shutdown()
	}},
	{"events.NewBroadcaster", "started; its context ends; Shutdown", func(t *testing.T, k kit) {
		broadcaster, cancel := k.startedEvents(t, answering())
		cancel()
		broadcaster.Shutdown()
	}},
	{"NewEventBroadcasterAdapter", "never started", func(t *testing.T, k kit) {
		k.adapter(t, answering())
	}},
	{"NewEventBroadcasterAdapter", "started; its stop channel is closed", func(t *testing.T, k kit) {
		_, stop := k.startedAdapter(t, answering())
		stop()
	}},
	{"NewEventBroadcasterAdapter", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedAdapter(t, answering())
		broadcaster.Shutdown()
	}},
	{"NewEventBroadcasterAdapter", "started; its stop channel is closed; Shutdown", func(t *testing.T, k kit) {
		broadcaster, stop := k.startedAdapter(t, answering())
		stop()
		broadcaster.Shutdown()
	}},
	{"record.NewBroadcaster", "never started", func(t *testing.T, k kit) {
		k.record(t)
	}},
	{"record.NewBroadcaster", "started; what StartRecordingToSink returned is stopped", func(t *testing.T, k kit) {
		_, watch := k.startedRecord(t, answering())
		watch.Stop()
	}},
	{"record.NewBroadcaster", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedRecord(t, answering())
		broadcaster.Shutdown()
	}},
	{"record.NewBroadcaster", "started; the server does not answer a write; Shutdown", func(t *testing.T, k kit) {
		server := silent(t)
		broadcaster, _ := k.startedRecord(t, server)
		record(oldShape(broadcaster), 1)
		<-server.asked
		broadcaster.Shutdown()
	}},
	{"NewFakeRecorder", "room for 2; a goroutine records 3; the test reads none", func(t *testing.T, k kit) {
		recorder := k.fake(t)
		go record(recorder, 3)
	}},
}

// kit is what a test makes recorders with: client-go, or this SDK under client-go's names.
type kit struct {
	newEvents  func(clientevents.EventSink) clientevents.EventBroadcaster
	newAdapter func(kubernetes.Interface) clientevents.EventBroadcasterAdapter
	newRecord  func() clientrecord.EventBroadcaster
	fake       func(*testing.T) clientevents.EventRecorder
}

var clientGo = kit{
	newEvents:  clientevents.NewBroadcaster,
	newAdapter: clientevents.NewEventBroadcasterAdapter,
	newRecord:  func() clientrecord.EventBroadcaster { return clientrecord.NewBroadcaster() },
	fake: func(t *testing.T) clientevents.EventRecorder {
		fake := clientevents.NewFakeRecorder(2)
		t.Cleanup(func() { <-fake.Events }) // the third finds room
		return fake
	},
}

// moment is how long the SDK's Shutdown tries to write what is pending, 5 seconds otherwise.
const moment = time.Millisecond

var sdk = kit{
	newEvents: func(sink clientevents.EventSink) clientevents.EventBroadcaster {
		return events.NewBroadcaster(sink, events.WithDrainTimeout(moment))
	},
	newAdapter: func(client kubernetes.Interface) clientevents.EventBroadcasterAdapter {
		return adapter.New(context.Background(), client, events.WithDrainTimeout(moment))
	},
	newRecord: func() clientrecord.EventBroadcaster {
		return legacy.NewBroadcaster(events.WithDrainTimeout(moment))
	},
	fake: func(t *testing.T) clientevents.EventRecorder { return eventstest.NewRecorder(t) },
}

func (k kit) events(t *testing.T, s server) clientevents.EventBroadcaster {
	broadcaster := k.newEvents(&clientevents.EventSinkImpl{Interface: s.client.EventsV1()})
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedEvents(t *testing.T, s server) (clientevents.EventBroadcaster, context.CancelFunc) {
	broadcaster := k.events(t, s)
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	t.Cleanup(cancel)
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		t.Fatal(err)
	}
	return broadcaster, cancel
}

func (k kit) adapter(t *testing.T, s server) clientevents.EventBroadcasterAdapter {
	broadcaster := k.newAdapter(s.client)
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedAdapter(t *testing.T, s server) (clientevents.EventBroadcasterAdapter, context.CancelFunc) {
	broadcaster := k.adapter(t, s)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	broadcaster.StartRecordingToSink(ctx.Done())
	return broadcaster, stop
}

func (k kit) record(t *testing.T) clientrecord.EventBroadcaster {
	broadcaster := k.newRecord()
	t.Cleanup(broadcaster.Shutdown)
	return broadcaster
}

func (k kit) startedRecord(t *testing.T, s server) (clientrecord.EventBroadcaster, watch.Interface) {
	broadcaster := k.record(t)
	return broadcaster, broadcaster.StartRecordingToSink(
		&typedcorev1.EventSinkImpl{Interface: s.client.CoreV1().Events("")})
}

func newShape(broadcaster clientevents.EventBroadcaster) clientevents.EventRecorder {
	return broadcaster.NewRecorder(scheme.Scheme, "example.com/replicas")
}

func oldShape(broadcaster clientrecord.EventBroadcaster) clientevents.EventRecorder {
	return clientrecord.NewEventRecorderAdapter(
		broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "replicas"}))
}

// record records n Events.
func record(recorder clientevents.EventRecorder, n int) {
	for i := range n {
		recorder.Eventf(deployment("web", ""), nil, "Normal", "Scaled", "Scale", "to %d replicas", i)
	}
}

// server is a cluster, and when it was first asked to write an Event.
type server struct {
	client *eventstest.Clientset
	asked  chan struct{}
}

func answering() server { return server{client: eventstest.NewClientset()} }

// unreachable refuses connections.
func unreachable() server {
	return failing(func(context.Context) error { return syscall.ECONNREFUSED })
}

// silent accepts requests and does not answer them, until the test ends.
func silent(t *testing.T) server {
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	return failing(func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return syscall.ECONNREFUSED
		}
	})
}

func failing(how func(context.Context) error) server {
	s := server{eventstest.NewClientset(), make(chan struct{})}
	first := sync.OnceFunc(func() { close(s.asked) })
	s.client.Fail(func(ctx context.Context, request eventstest.Request) error {
		if request.Resource != "events" {
			return nil
		}
		first()
		return how(ctx)
	})
	return s
}

// goroutine is one that goleak found.
type goroutine struct {
	creator string
	busy    bool // it waits for nothing
}

func (g goroutine) String() string {
	if g.busy {
		return g.creator + ", which never waits"
	}
	return g.creator
}

// goroutines reads goleak's error: for each goroutine a line with its state, its stack, and who created it.
func goroutines(leak error) (all []goroutine) {
	if leak == nil {
		return nil
	}
	busy := false
	for line := range strings.Lines(leak.Error()) {
		if _, state, ok := strings.Cut(line, " in state "); ok {
			busy = strings.HasPrefix(state, "run") // running, or runnable: it only lacks a processor
		}
		if creator, ok := strings.CutPrefix(line, "created by "); ok {
			creator, _, _ = strings.Cut(creator, " in goroutine")
			if strings.Contains(creator, "clientgo_test") {
				creator = "the test"
			}
			all = append(all, goroutine{creator, busy})
		}
	}
	return all
}
