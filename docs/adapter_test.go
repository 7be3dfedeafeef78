// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// circumstances has a value for each question that the adapter's decision depends on, in their order.
type circumstances [3]string

// question is one input of the decision with its possible answers.
type question struct {
	text    string
	answers []string
}

const (
	served, notServed, noAnswer = "served", "404", "no answer"
	both, onlyV1, onlyCore      = "both", "events.k8s.io", "core/v1"
	neither                     = "neither"
)

var questions = []question{
	{"mode", []string{string(adapter.Auto), string(adapter.EventsV1), string(adapter.CoreV1), string(adapter.Legacy)}},
	{"events.k8s.io/v1 is", []string{served, noAnswer, notServed}},
	{"RBAC allows", []string{both, onlyV1, onlyCore, neither}},
}

// outcome is the result of two occurrences about a pod in namespace shop.
type outcome struct {
	through string   // the way that the Event took
	log     []string // its advice
}

// decide runs an adapter in these circumstances for five minutes, in a bubble.
func decide(t *testing.T, c circumstances) (o outcome) {
	t.Setenv(adapter.Environment, c[0])
	synctest.Test(t, func(t *testing.T) {
		client, log := cluster(c), &testlog.Log{}
		a := adapter.New(t.Context(), client, events.WithLogger(klog.New(log)))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer a.Shutdown()
		time.Sleep(time.Second)
		for range 2 {
			a.NewRecorder("example.com/test").Eventf(inShop, nil, corev1.EventTypeNormal, "Scaled", "Scale", "up")
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		o = outcome{through: way(t, a, client.Events()), log: adviceOf(log)}
	})
	return o
}

var inShop = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "1"}}

func cluster(c circumstances) *eventstest.Clientset {
	client := eventstest.NewClientset()
	switch c[1] {
	case notServed:
		client.ServeEventsV1(false)
	case noAnswer:
		client.FailDiscovery(errors.New("503 Service Unavailable"))
	}
	client.Authorize(func(r eventstest.Request) bool {
		if r.Group == eventsv1.GroupName {
			return c[2] == both || c[2] == onlyV1
		}
		return c[2] == both || c[2] == onlyCore
	})
	return client
}

// way returns the API that an Event was written through, by its fields.
func way(t *testing.T, a *adapter.Adapter, stored []eventsv1.Event) string {
	switch stats := a.Stats(); {
	case len(stored) == 0 && stats.Pending == 2:
		return "kept"
	case len(stored) != 1 || stats.Recorded != 2:
		t.Errorf("%d Events are stored, %+v", len(stored), stats)
		return "?"
	}
	switch e := &stored[0]; {
	case e.EventTime.IsZero():
		return "core/v1, correlator"
	case e.DeprecatedCount > 0:
		return "core/v1, series"
	default:
		return "events.k8s.io/v1"
	}
}

// Caught: in the adapter's decide, keep in the place of useOther; no answer taken for a 404; an advice that was renamed.
func TestAdapterDecidesAsThePageSays(t *testing.T) {
	runs := map[circumstances]outcome{}
	for _, mode := range questions[0].answers {
		for _, support := range questions[1].answers {
			for _, rbac := range questions[2].answers {
				c := circumstances{mode, support, rbac}
				runs[c] = decide(t, c)
			}
		}
	}
	says(t, "adapter.md", fmt.Sprintf("made by %d runs", len(runs)))
	whole := grow(runs, circumstances{}, 0, func(o outcome) string {
		return o.through + " | " + strings.Join(o.log, ", ")
	})
	var heading []string
	for _, q := range questions {
		heading = append(heading, q.text)
	}
	rows := append([][]string{append(heading, "Events go through", "advice in the log")},
		whole.rows([]string{"any", "any", "any"})...)
	shows(t, "adapter.md", "decisions", table(rows...))
}

// adviceOf returns the different values of the key advice in a log, sorted.
func adviceOf(log *testlog.Log) (all []string) {
	for _, line := range log.Lines("") {
		if match := loggedAdvice.FindStringSubmatch(line); match != nil {
			all = append(all, "`"+match[1]+"`")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var loggedAdvice = regexp.MustCompile(` advice="([^"]*)"`)
