// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// remedy is before the log value with the RBAC that is missing.
const remedy = " remedy="

// accessCase is a component that records in two namespaces. In one it has what
// the test says, in the other it may write events.k8s.io/v1.
type accessCase struct {
	*harness.Env
	*rig
	other   string
	pods    map[string]*corev1.Pod
	emitted map[string]int64
}

func newAccessCase(t *testing.T, allowed ...string) *accessCase {
	t.Helper()
	env := harness.New(t, shared)
	c := &accessCase{Env: env, other: env.NewNamespace(), emitted: map[string]int64{}}
	env.Allow(env.Namespace, allowed...)
	env.Allow(c.other, harness.EventsV1)
	c.pods = map[string]*corev1.Pod{
		env.Namespace: env.NewPod(env.Namespace, "web"), c.other: env.NewPod(c.other, "web"),
	}
	c.rig = newRig(t, env, events.WithClock(harness.Fast))
	return c
}

// emit records the same occurrence n times in each namespace.
func (c *accessCase) emit(n int) {
	for namespace, pod := range c.pods {
		for range n {
			c.Eventf(pod, nil, corev1.EventTypeNormal, "Synced", "Sync", "synced")
			c.emitted[namespace]++
		}
	}
}

// check checks that what was recorded and flushed is on the server, and that the
// other namespace noticed nothing.
func (c *accessCase) check(t *testing.T) {
	t.Helper()
	c.checkCounts(t)
	for _, e := range c.Wire.Seen(func(e wire.Exchange) bool { return e.WroteIn(c.other) && !e.Through(wire.EventsV1) }) {
		t.Errorf("%s %s answered %d, want all through %s", e.Method, e.Path, e.Status, wire.EventsV1)
	}
	status := c.Snapshot(0)
	if _, found := status.Namespaces[c.other]; found || status.API != adapter.ModeEventsV1 {
		t.Errorf("the other namespace is affected: %+v", status)
	}
	if lines := c.Log.Lines(c.other); len(lines) > 0 {
		t.Errorf("log lines about the other namespace: %v", lines)
	}
}

// checkCounts checks that each namespace has one Event with the exact count.
func (c *accessCase) checkCounts(t *testing.T) {
	t.Helper()
	for namespace, want := range c.emitted {
		event := c.OnlyEvent(namespace)
		if got := harness.Count(&event); got != want {
			t.Errorf("count %d in %s, want %d", got, namespace, want)
		}
	}
}

// finish ends the case with everything recorded.
func (c *accessCase) finish(t *testing.T) {
	t.Helper()
	c.drainAll(c.emitted[c.Namespace] + c.emitted[c.other])
	c.check(t)
}

// remedy returns what the one complaint about the namespace says to apply.
func (c *accessCase) remedy(t *testing.T) string {
	t.Helper()
	complaints := c.complaints()
	if len(complaints) != 1 {
		t.Fatalf("%d complaints in the log, want one: %v", len(complaints), complaints)
	}
	_, value, _ := strings.Cut(complaints[0], remedy)
	quoted, err := strconv.QuotedPrefix(value)
	if err != nil {
		t.Fatal(err)
	}
	text, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// complaints are the lines about the namespace that have the RBAC that is missing.
func (c *accessCase) complaints() []string {
	return slices.DeleteFunc(c.Log.Lines(c.Namespace), func(line string) bool { return !strings.Contains(line, remedy) })
}

func TestAccessToCoreV1Alone(t *testing.T) {
	c := newAccessCase(t, harness.CoreV1)
	c.emit(5)
	c.flush()
	c.check(t)
	status := c.Snapshot(0).Namespaces[c.Namespace]
	if status.API != adapter.ModeCoreV1 || status.Access.EventsV1 != discovery.Denied {
		t.Errorf("Status of the namespace is %+v, want it on %s", status, adapter.ModeCoreV1)
	}

	c.Apply(c.remedy(t))
	c.AwaitAccess(c.Namespace, harness.EventsV1, true)
	c.emitUntilThrough(t, wire.EventsV1)
	if status, found := c.Snapshot(0).Namespaces[c.Namespace]; found {
		t.Errorf("Status still reports the namespace: %+v", status)
	}
	c.finish(t)
	c.remedy(t)
}

func TestNoAccess(t *testing.T) {
	c := newAccessCase(t)
	c.emit(5)
	c.Await("the refusal", func() bool {
		_, found := c.Snapshot(0).Namespaces[c.Namespace]
		return found && len(c.complaints()) > 0
	})
	status := c.Snapshot(0).Namespaces[c.Namespace]
	if status.Access.EventsV1 != discovery.Denied || status.Access.CoreV1 != discovery.Denied || status.LastError == "" {
		t.Errorf("Status of the namespace is %+v, want both groups denied and the reason", status)
	}
	c.emit(5)
	if s := c.Stats(); s.Pending < c.emitted[c.Namespace] {
		t.Errorf("%d occurrences pending, want the %d of the namespace kept", s.Pending, c.emitted[c.Namespace])
	}
	if all := c.Events(c.Namespace); len(all) > 0 {
		t.Errorf("%d Events without any access", len(all))
	}

	c.Apply(c.remedy(t))
	c.AwaitAccess(c.Namespace, harness.EventsV1, true)
	c.flush()
	c.check(t)
	c.emit(5)
	c.finish(t)
	c.remedy(t)
}

func TestLiveSwitchInMidSeries(t *testing.T) {
	c := newAccessCase(t, harness.EventsV1)
	c.emitUntilThrough(t, wire.EventsV1)
	c.Deny(c.Namespace, harness.EventsV1)
	c.Allow(c.Namespace, harness.CoreV1)
	c.emitUntilThrough(t, wire.CoreV1)
	c.Allow(c.Namespace, harness.EventsV1)
	c.emitUntilThrough(t, wire.EventsV1)
	c.finish(t)
}

// emitUntilThrough goes on with the series until it is written through api.
func (c *accessCase) emitUntilThrough(t *testing.T, api string) {
	t.Helper()
	c.Await("a write through "+api, func() bool {
		c.emit(2)
		c.flush()
		writes := c.Wire.Seen(func(e wire.Exchange) bool { return e.WroteIn(c.Namespace) })
		last := writes[len(writes)-1]
		return last.Through(api) && last.Status < http.StatusBadRequest
	})
	c.checkCounts(t)
}
