// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package prometheus

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/publishing"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/webhook"
)

// bound is for what takes a minute: an alert that lasts six hours.
const bound = 2 * time.Minute

// component records on the API server, and has its metrics on the registry of controller-runtime.
type component struct {
	*adapter.Adapter
	recorder clientevents.EventRecorder
	address  string // of the metrics

	healthy, refused, rejected string // namespaces
}

// newComponent starts a component with a small cache, so that it can be filled. It is in a hurry, too: counts wait for
// half of the time that they usually do, because their age is known to the second, which are six minutes here.
func newComponent(t *testing.T, env *harness.Env) *component {
	t.Helper()
	a := adapter.New(t.Context(), env.Client, events.WithLogger(env.Log.Logger()),
		events.WithMaxSeries(1000),
		publishing.With(10*time.Second/hurry, 0, 0), events.WithRefreshInterval(15*time.Minute/hurry))
	metrics.Registry.MustRegister(eventsprom.NewCollector(a)) // a, err := adapter.ForManager(mgr)
	endpoint := httptest.NewServer(promhttp.HandlerFor(metrics.Registry, promhttp.HandlerOpts{}))
	t.Cleanup(endpoint.Close)
	if err := a.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Shutdown)
	c := &component{
		Adapter: a, recorder: a.NewRecorder("example.com/component"),
		address: strings.TrimPrefix(endpoint.URL, "http://"),
		healthy: env.Namespace, refused: env.NewNamespace(), rejected: env.NewNamespace(),
	}
	for _, namespace := range []string{c.healthy, c.refused, c.rejected} {
		env.Allow(namespace, harness.EventsV1)
	}
	return c
}

func (c *component) record(namespace, name, reason, action string) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(name)}}
	c.recorder.Eventf(pod, nil, corev1.EventTypeNormal, reason, action, "a note")
}

// loop records until stop is called, or the test ends, with a pause between: in a healthy namespace one reason that nobody mutes and one
// that a selector does, and something new where RBAC and a webhook refuse.
func (c *component) loop(t *testing.T, pause time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			c.record(c.healthy, "web", "Synced", "Sync")
			c.record(c.healthy, "web", "Pulled", "Pull")
			c.record(c.healthy, "web", "Repaired", "") // without an action
			if n%10 == 0 {
				c.record(c.refused, fmt.Sprint("web-", n), "Created", "Create")
				c.record(c.rejected, fmt.Sprint("web-", n), "Created", "Create")
			}
			time.Sleep(pause)
		}
	})
	stop = func() {
		cancel()
		done.Wait()
	}
	t.Cleanup(stop)
	return stop
}

// fill records more series than there is room for, where RBAC refuses all of them.
func (c *component) fill() {
	for i := range 3000 {
		c.record(c.refused, fmt.Sprint("many-", i), "Created", "Create")
	}
}

// Each alert fires while something is wrong, and ends after it is repaired. Meanwhile the dashboard shows it.
//
// Caught: an alert on a metric that is not there; one that fires while all is well, or stays for ever; a panel without
// data.
func TestAlertsFireAndEnd(t *testing.T) {
	env := harness.New(t, plane)
	c := newComponent(t, env)
	s := start(t, env, c.address)
	stop := c.loop(t, 200*time.Millisecond)
	env.Await("a scrape", func() bool { return len(s.query("eventseries_series > 0")) > 0 })
	s.staysQuiet(time.Hour / hurry)
	stop()

	hook := webhook.Start(webhook.In(map[string]webhook.Answer{
		c.rejected: webhook.Deny(metav1.Status{Code: 422, Reason: metav1.StatusReasonInvalid}),
	}))
	t.Cleanup(hook.Close)
	env.Webhook(hook, time.Second, c.rejected)
	env.Deny(c.refused, harness.EventsV1)
	if err := c.SetSelector("reason!=Pulled"); err != nil {
		t.Fatal(err)
	}
	stop = c.loop(t, 20*time.Millisecond)
	s.awaitFiring(bound, "EventseriesLosingEvents", "EventseriesRefusedByRBAC")
	checkDashboard(t, s)
	c.fill()
	s.awaitFiring(bound, s.alerts...)
	stop()

	if err := c.SetSelector(""); err != nil {
		t.Fatal(err)
	}
	env.RemoveWebhook(c.rejected)
	env.Allow(c.refused, harness.EventsV1)
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	if err := c.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	s.awaitQuiet(bound)
	if err := c.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}
