// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
)

func TestWatchersSeeEveryEventInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster()
		var got, want []string
		b.StartEventWatcher(func(e *corev1.Event) {
			time.Sleep(time.Millisecond)
			got = append(got, e.Message)
		})
		recorder := b.NewRecorder(nil, kubelet)
		for i := range 100 {
			recorder.Eventf(pod("a"), "Normal", "Started", "%d", i)
			want = append(want, fmt.Sprint(i))
		}
		b.Shutdown() // waits for what is queued
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestSlowWatcherMissesEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster(quiet)
		fast := 0
		b.StartEventWatcher(func(*corev1.Event) { fast++ })
		b.StartEventWatcher(func(*corev1.Event) { time.Sleep(time.Second * 7 / 10) })
		recorder := b.NewRecorder(nil, kubelet)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait() // the slow one has it
		for i := range 1100 {
			recorder.Event(pod("a"), "Normal", "Started", "m")
			if i%100 == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"WatcherDropped": 100, "Filtered": 1101})
		b.Shutdown() // gives the slow one 5 s
		if fast != 1101 {
			t.Errorf("the fast watcher saw %d events, want 1101", fast)
		}
		if n := b.Stats().WatcherDropped; n < 1090 || n >= 1100 {
			t.Errorf("WatcherDropped = %d, want what was queued counted", n)
		}
	})
}

func TestWatcherStopsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBroadcaster()
		defer b.Shutdown()
		n := 0
		var w watch.Interface
		w = b.StartEventWatcher(func(*corev1.Event) {
			n++
			w.Stop()
			w.Stop()
		})
		recorder := b.NewRecorder(nil, kubelet)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		recorder.Event(pod("a"), "Normal", "Started", "m")
		if n != 1 {
			t.Errorf("handled %d events after Stop, want 1", n)
		}
	})
}

// What is logged is what client-go logs.
func TestLogsAreClientGos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, b := record.NewBroadcaster(), NewBroadcaster()
		logs := map[record.EventBroadcaster]*[]string{client: {}, b: {}}
		for broadcaster, lines := range logs {
			broadcaster.StartLogging(func(format string, args ...any) {
				*lines = append(*lines, fmt.Sprintf(format, args...))
			})
			broadcaster.NewRecorder(nil, kubelet).Event(pod("a"), "Warning", "Failed", "100%")
		}
		synctest.Wait()
		client.Shutdown()
		b.Shutdown()
		if diff := cmp.Diff(*logs[client], *logs[b]); diff != "" || len(*logs[b]) != 1 {
			t.Errorf("(-client-go +ours):\n%s", diff)
		}
	})
}

func TestStructuredLogging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		config := textlogger.NewConfig(textlogger.Output(&out), textlogger.Verbosity(2))
		b := NewBroadcaster(events.WithLogger(textlogger.NewLogger(config)))
		w := b.StartStructuredLogging(3)
		recorder := b.NewRecorder(nil, kubelet)
		recorder.Event(pod("a"), "Normal", "Started", "disabled")
		if len(w.ResultChan()) != 0 {
			t.Error("an event is queued for a disabled level")
		}
		if err := config.Verbosity().Set("3"); err != nil {
			t.Fatal(err)
		}
		recorder.Event(pod("a"), "Normal", "Started", "enabled")
		b.Shutdown()
		want := `"Event occurred" object="default/a" kind="Pod" apiVersion="v1" type="Normal"` +
			` reason="Started" action="" note="enabled"`
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, want) {
			t.Errorf("logged %q, want one line with %q", got, want)
		}
	})
}

// askingLogger is a logger that asks for Stats before it says whether it is enabled.
type askingLogger struct {
	klog.LogSink
	ask func()
}

func (l askingLogger) WithValues(...any) klog.LogSink { return l }
func (l askingLogger) Enabled(int) bool               { l.ask(); return true }
func (l askingLogger) Info(int, string, ...any)       {}

// Caught: asking a logger whether it is enabled under the broadcaster's lock.
func TestLoggerMayAskForStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b *Broadcaster
		var asked atomic.Int64 // also by the watcher
		sink := askingLogger{klog.Background().GetSink(), func() { b.Stats(); asked.Add(1) }}
		b = NewBroadcaster(events.WithLogger(klog.Background().WithSink(sink)))
		b.StartStructuredLogging(0)
		b.NewRecorder(nil, kubelet).Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		if asked.Load() == 0 {
			t.Error("the logger was not asked")
		}
	})
}
