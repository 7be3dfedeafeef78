// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	flowcontrolv1 "k8s.io/api/flowcontrol/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// most is how many writes the SDK makes at a time.
const most = 64

// API Priority and Fairness says 429 with a Retry-After, at once or after a while
// in a queue.
// Caught: a gate that any good answer opens, with 6000 rejected writes in 20 s.
func TestFairness(t *testing.T) {
	s := open(t, scenario{title: "429 of API Priority and Fairness: reject, queue"})
	for _, queue := range []*flowcontrolv1.QueuingConfiguration{
		nil,
		{Queues: 1, HandSize: 1, QueueLengthLimit: 2},
	} {
		s.Run(3 * time.Second)
		s.RejectEvents(queue)
		began := time.Now()
		rejected := len(s.during(20*time.Second, http.StatusTooManyRequests))
		stored := len(s.Wire.Seen(func(e wire.Exchange) bool {
			return e.At.After(began) && (e.IsCreate() || e.IsPatch()) && e.Succeeded()
		}))
		// The level has a seat, so that many writes are stored. On a busy machine a backlog has opened the window by the time
		// the level is in use, so the writes that are under way then are rejected, too.
		if allowed := 2*most + stored/2; rejected > allowed {
			t.Errorf("%d writes were rejected beside %d stored, want no more than %d: the server's word is not kept", rejected, stored, allowed)
		}
		s.StopRejecting()
		s.recovers()
	}
	s.Run(3 * time.Second)
	s.settle()
	s.wants(http.StatusTooManyRequests)
}

// Two seats at the server are enough for all, if the window is as narrow as they are. A drain has no later time to write in.
// So it keeps the seats busy, at the price of a refusal for each write at most, and does not stop for a Retry-After.
//
// Caught: a window that grows again after each refusal.
func TestTwoSeats(t *testing.T) {
	s := open(t, scenario{
		title: "5,000 first occurrences, a priority level of two seats", calm: true, tenants: 5,
		// A priority level gets its shares of all seats, rounded up: 450/246 for one share beside the server's own 245.
		flags: []string{"--max-requests-inflight=300", "--max-mutating-requests-inflight=150"},
	})
	s.ShareOut(1)
	refusals := func() int {
		return len(s.Wire.Seen(func(e wire.Exchange) bool { return e.Status == http.StatusTooManyRequests }))
	}
	requests := func() int { return len(s.Wire.Seen(func(wire.Exchange) bool { return true })) }
	s.Warn("Burst", Pods(1000, s.namespaces...)...)
	s.recoversWithin(5 * time.Minute)
	refused := refusals()
	all := requests()
	t.Logf("%d of %d requests were refused", refused, all)
	if refused == 0 || refused > all/20 {
		t.Errorf("%d of %d requests were refused, want some, and 5 %% at most", refused, all)
	}
	s.Warn("End", Pods(100, s.namespaces...)...)
	began := time.Now()
	s.must(s.adapter.Drain(t.Context()))
	refused = refusals() - refused
	all = requests() - all
	t.Logf("a drain of 500 took %.1fs, and %d of %d requests were refused", time.Since(began).Seconds(), refused, all)
	if refused > all*3/5 {
		t.Errorf("in the drain %d of %d requests were refused, want about half at most", refused, all)
	}
	s.settle()
}

// eventRateLimit lets a few Events of core/v1 pass each second. It says 429
// without a Retry-After.
const eventRateLimit = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits:
    - {type: Server, qps: 5, burst: 10}
`

// Caught: a 429 without a Retry-After that is taken for the last word.
func TestEventRateLimit(t *testing.T) {
	t.Run("CoreV1", func(t *testing.T) {
		rateLimited(t, adapter.ModeCoreV1)
	})
	t.Run("Legacy", func(t *testing.T) {
		rateLimited(t, adapter.ModeLegacy, events.DropSpamFilter, events.DropQueueFull)
	})
}

func rateLimited(t *testing.T, mode adapter.Mode, drops ...events.DropReason) {
	config := filepath.Join(t.TempDir(), "admission.yaml")
	if err := os.WriteFile(config, []byte(eventRateLimit), 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, scenario{
		title:   "429 of EventRateLimit, mode " + string(mode),
		adapter: []adapter.Option{adapter.WithMode(mode)},
		drops:   drops,
		// From the beginning: what client-go's spam filter lets through is written within a few seconds.
		flags: []string{"--enable-admission-plugins=EventRateLimit", "--admission-control-config-file=" + config},
	})
	s.Run(20 * time.Second)
	s.must(s.plane.StartServer("--enable-admission-plugins=NamespaceLifecycle"))
	s.recovers()
	s.Run(3 * time.Second)
	s.settle()
	s.wants(http.StatusTooManyRequests)
}

// wants checks that the fault came about: that writes were answered so.
func (s *rig) wants(status int) {
	s.t.Helper()
	seen := s.Wire.Seen(func(e wire.Exchange) bool { return (e.IsCreate() || e.IsPatch()) && e.Status == status })
	if len(seen) == 0 {
		s.t.Errorf("no write was answered with %d, nothing was tested", status)
	}
}
