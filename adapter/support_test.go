// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// A failed question is asked again, is said once, and does not replace an answer that was given.
func TestProbeUnanswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		log, logged := withLog()
		a, _ := start(t, c, logged)
		time.Sleep(3*time.Minute + time.Second)
		if got := a.Snapshot(0); got.Support != discovery.Unknown || !strings.Contains(got.LastError, "starting") {
			t.Errorf("Snapshot() = %+v, want unknown, because of the 503", got)
		}
		log.CheckOnce(t, "Cannot tell whether events.k8s.io/v1 is served")

		c.FailDiscovery(nil)
		c.ServeEventsV1(false)
		time.Sleep(time.Minute)
		checkAPI(t, a, adapter.ModeLegacy)
		since := a.Snapshot(0).Since

		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		time.Sleep(6 * time.Minute)
		got := a.Snapshot(0)
		if got.Support != discovery.NotServed || got.LastError == "" || !got.Since.Equal(since) {
			t.Errorf("Snapshot() = %+v, want not served since %v, and the error", got, since)
		}
		checkAPI(t, a, adapter.ModeLegacy)
	})
}

// Writes that are told the API is not there share one probe, and ask again after 30 seconds at the earliest.
func TestProbeAfterUnsupportedWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log, logged := withLog()
		a, rec := start(t, c, logged)
		time.Sleep(time.Minute)
		if got := c.Probes.Load(); got != 1 {
			t.Fatalf("%d probes at the start, want 1", got)
		}

		// Discovery goes on to say "served": API servers of two versions, or a proxy.
		notThere := func(_ context.Context, r eventstest.Request) error {
			if r.Group == v1 {
				return &apierrors.StatusError{ErrStatus: apierrors.NewNotFound(schema.GroupResource{}, "").ErrStatus}
			}
			return nil
		}
		c.ProbeLatency.Store(int64(time.Second))
		c.Fail(notThere)
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			emit(rec, 1, "in-"+name, name)
		}
		time.Sleep(29 * time.Second)
		if got := c.Probes.Load(); got != 2 {
			t.Errorf("%d probes after writes were told the API is not there, want 1 more", got)
		}
		time.Sleep(2 * time.Minute)
		if got := c.Probes.Load(); got < 3 || got > 6 {
			t.Errorf("%d probes, want one every 30 s", got)
		}
		lines := log.Lines("Discovery lists events.k8s.io/v1, but")
		if len(lines) == 0 || len(lines) > 5 {
			t.Errorf("%d lines about it, want one per probe:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		checkAPI(t, a, adapter.ModeEventsV1)
		checkAccounts(t, a, 0, 6, nil)

		c.Fail(nil)
		fixture.Flush(t, a)
		checkAccounts(t, a, 6, 0, nil)
	})
}

// Whoever has read that the API is not served also reads that it is. At the start of a component on a usual cluster there is
// no line.
//
// Caught: the second line at a verbosity that nobody has.
func TestSupportIsLogged(t *testing.T) {
	const gone, back = "info: The API server does not serve events.k8s.io/v1", "info: The API server serves events.k8s.io/v1 now"
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		log := &testlog.Log{}
		start(t, c, events.WithLogger(klog.New(log)))
		time.Sleep(time.Minute)
		if lines := log.Lines(""); len(lines) != 0 {
			t.Errorf("lines at the start: %q", lines)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		log := &testlog.Log{}
		start(t, c, events.WithLogger(klog.New(log)))
		time.Sleep(time.Minute)
		log.CheckOnce(t, gone)
		c.ServeEventsV1(true)
		time.Sleep(10 * time.Minute)
		log.CheckOnce(t, gone)
		log.CheckOnce(t, back)
	})
}

// While discovery does not answer, a write that is told that the API is not there is retried. The log says so.
//
// Caught: no line, since discovery may have failed long before.
func TestUnsupportedWriteWithoutDiscoveryIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
		log, logged := withLog()
		a, rec := start(t, c, logged)
		time.Sleep(time.Minute)
		emit(rec, 1, "shop", "web")
		time.Sleep(10 * time.Second)
		checkAccounts(t, a, 0, 1, nil)
		line := log.CheckOnce(t, "writes are retried")
		if !strings.Contains(line, "could not find") {
			t.Errorf("the line does not say what the server answers: %s", line)
		}
		c.FailDiscovery(nil)
		time.Sleep(5 * time.Minute)
		checkAccounts(t, a, 1, 0, nil)
		log.CheckOnce(t, "The API server answers again")
	})
}

// Caught: a question that does not count because the write it was asked for ran out of time.
func TestDiscoveryOutlastsTheWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		_, rec := start(t, c, tuning.WriteTimeout(time.Second))
		time.Sleep(time.Second)
		c.ProbeLatency.Store(int64(time.Minute))
		c.ServeEventsV1(false)
		before := c.Probes.Load()
		for i := range 50 {
			emit(rec, 1, fmt.Sprint("ns-", i), "web")
		}
		time.Sleep(5 * time.Minute)
		if n := c.Probes.Load() - before; n < 2 || n > 11 {
			t.Errorf("discovery was asked %d times in five minutes, want once every 30 seconds", n)
		}
	})
}

// A caller that gives up has not asked: the next one does, and need not wait for 30 seconds.
//
// Caught: a question that was cancelled and counts as asked.
func TestCancelledDiscoveryIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		c.ProbeLatency.Store(int64(time.Minute))
		a := adapter.New(t.Context(), c.Client(), quiet)
		defer a.Shutdown()
		emit(a.Recorder(controller), 1, "shop", "web")
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := a.Flush(ctx); err == nil {
			t.Fatal("flushed without an answer")
		}
		c.ProbeLatency.Store(0)
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := a.Flush(ctx); err != nil {
			t.Error(err)
		}
	})
}

// checkAPI compares what takes new occurrences.
func checkAPI(t *testing.T, a *adapter.Adapter, want adapter.Mode) {
	t.Helper()
	if got := a.Snapshot(0).API; got != want {
		t.Errorf("Snapshot().API = %q, want %q", got, want)
	}
}

// What legacy could not write yet when the API comes back is not lost.
func TestLiveSwitchBackKeepsLegacyBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.ServeEventsV1(false)
		a, rec := start(t, c)
		synctest.Wait()
		checkAPI(t, a, adapter.ModeLegacy)
		c.Fail(unavailable)
		emit(rec, 2, "default", "old")
		c.ServeEventsV1(true)
		time.Sleep(5*time.Minute + time.Second)
		synctest.Wait()
		checkAPI(t, a, adapter.ModeEventsV1)
		checkAccounts(t, a, 0, 2, nil)
		emit(rec, 1, "default", "new")
		for _, n := range []int{1, 2} {
			var waiting []string
			for _, s := range a.Snapshot(n).Waiting {
				waiting = append(waiting, s.Regarding.Name)
			}
			if want := []string{"old", "new"}[:n]; !cmp.Equal(waiting, want) {
				t.Errorf("Snapshot(%d).Waiting: %v, want %v, the longest wait first", n, waiting, want)
			}
		}
		c.Fail(nil)
		emit(rec, 2, "default", "new")
		fixture.Flush(t, a)
		checkAccounts(t, a, 5, 0, nil)
	})
}
