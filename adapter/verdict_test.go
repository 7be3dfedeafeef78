// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/sinks"
)

// newTestRouter returns a router in ModeAuto that writes to client and logs to log.
func newTestRouter(client *eventstest.Clientset, log *testlog.Log) *router {
	logger := klog.New(log)
	c := &config{mode: ModeAuto}
	c.Clock = clock.RealClock{}
	c.Logger = &logger
	r := newRouter(c)
	r.attach(discovery.NewProber(client), map[Mode]events.Sink{
		ModeEventsV1: sinks.EventsV1(client.EventsV1()),
		ModeCoreV1:   sinks.CoreV1(client.CoreV1()),
	})
	return r
}

// failEvents makes every request for Events of one group fail with err.
func failEvents(client *eventstest.Clientset, group string, err error) {
	client.Fail(func(_ context.Context, r eventstest.Request) error {
		if r.Resource == "events" && r.Group == group {
			return err
		}
		return nil
	})
}

// A verdict says that its answer is logged where the adapter has logged it. Otherwise the engine logs it.
//
// Caught: a refusal by a webhook, and a 404 about which discovery says nothing, of which no line is in the log.
func TestVerdictSaysWhatIsLogged(t *testing.T) {
	notServed := &apierrors.StatusError{ErrStatus: apierrors.NewNotFound(schema.GroupResource{}, "").ErrStatus}
	webhook := apierrors.NewForbidden(eventsv1.Resource("events"), "web", errors.New("by a webhook"))
	for name, row := range map[string]struct {
		prepare func(*eventstest.Clientset)
		want    string // a part of the line, or empty if there is none
	}{
		"a webhook refuses": {
			prepare: func(c *eventstest.Clientset) { failEvents(c, eventsv1.GroupName, webhook) },
		},
		"RBAC refuses": {
			prepare: func(c *eventstest.Clientset) { c.Authorize(func(eventstest.Request) bool { return false }) },
			want:    "RBAC forbids Events",
		},
		"not served, and discovery does not answer": {
			prepare: func(c *eventstest.Clientset) {
				failEvents(c, eventsv1.GroupName, notServed)
				c.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
			},
		},
		"not served, and discovery says that it is": {
			prepare: func(c *eventstest.Clientset) { failEvents(c, eventsv1.GroupName, notServed) },
			want:    "Discovery lists events.k8s.io/v1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, log := eventstest.NewClientset(), &testlog.Log{}
			row.prepare(client)
			r := newTestRouter(client, log)
			_, err := r.Create(t.Context(), &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
			if got := request.Classify(request.Request{}, err).Logged; got != (row.want != "") {
				t.Errorf("Logged is %v", got)
			}
			// This line is about discovery, and says nothing about a write.
			lines := slices.DeleteFunc(log.Take(), func(line string) bool { return strings.Contains(line, "Cannot tell whether") })
			if row.want == "" && len(lines) > 0 || row.want != "" && (len(lines) != 1 || !strings.Contains(lines[0], row.want)) {
				t.Errorf("lines %q, want %q", lines, row.want)
			}
		})
	}
}
