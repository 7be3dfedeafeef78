// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

type traceKey struct{}

// A recorder carries everything to the server, through either core, and the log has it as well.
//
// Caught: a recorder that asks, or labels in, only one of its cores; klog's global logger for series.
func TestRecorder(t *testing.T) {
	traced := events.WithContextAnnotations(func(ctx context.Context) map[string]string {
		trace, _ := ctx.Value(traceKey{}).(string)
		return map[string]string{"trace": trace, "call": "no"}
	})
	for _, mode := range []adapter.Mode{adapter.ModeEventsV1, adapter.ModeCoreV1, adapter.ModeLegacy} {
		fixture.InBubble(t, string(mode), func(t *testing.T) {
			c := newCluster()
			log, logged := withLog()
			a, rec := start(t, c, adapter.WithMode(mode), traced, logged,
				events.WithLabels(map[string]string{"app": "web", "team": "blue"}))
			stop := a.StartStructuredLogging(0)
			web, node := fixture.Pod("default", "web"), fixture.Pod("default", "node")
			rec.Eventf(web, node, "Normal", "Formatted", "Kill", "%d%%", 50)
			rec.Event(web, node, "Warning", "Verbatim", "Kill", "100% of %s")
			silent := rec.WithLabels(map[string]string{"team": "red", "app": "-"}).
				WithContext(context.WithValue(t.Context(), traceKey{}, "1")).WithLogger(klog.Logger{})
			events.AnnotatedEventf(silent, web, node, map[string]string{"call": "yes"}, "Normal", "Annotated", "Kill", "x")
			fixture.Flush(t, a)
			synctest.Wait()
			if n := len(log.Lines("Event occurred")); n != 3 {
				t.Errorf("%d events are logged, want 3: %q", n, log.Lines(""))
			}
			stop()
			var got []string
			for _, e := range c.Events() {
				got = append(got, fmt.Sprint(e.Reason, " ", e.Note, " ", e.Action, " ", e.Related.Name, " ", e.ReportingController,
					e.Labels, " ", e.Annotations))
			}
			slices.Sort(got)
			want := []string{
				"Annotated x Kill node example.com/testmap[app:web team:red] map[call:yes trace:1]",
				"Formatted 50% Kill node example.com/testmap[app:web team:blue] map[]",
				"Verbatim 100% of %s Kill node example.com/testmap[app:web team:blue] map[]",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
		})
	}
}

// Caught: one of the cores left out; the option that wins over the operator; a Snapshot that does not say it.
func TestSelector(t *testing.T) {
	for _, test := range []struct {
		name, env, option, call string
		want                    string
	}{
		{"an option", "", "type=Warning", "", "type=Warning"},
		{"the operator wins", "type!=Normal", "type=Normal", "", "type!=Normal"},
		{"the operator's is invalid", "typ=Normal", "type=Warning", "", "type=Warning"},
		{"a call", "type=Normal", "", "type=Warning", "type=Warning"},
	} {
		for _, mode := range []adapter.Mode{adapter.ModeEventsV1, adapter.ModeLegacy} {
			t.Run(test.name+", "+string(mode), func(t *testing.T) {
				t.Setenv(adapter.EnvironmentSelector, test.env)
				synctest.Test(t, func(t *testing.T) {
					c := newCluster()
					a, rec := start(t, c, adapter.WithMode(mode), adapter.WithSelector(test.option))
					if test.call != "" && (a.SetSelector(test.call) != nil || a.SetSelector("type") == nil) {
						t.Errorf("SetSelector refuses %q, or takes what is none", test.call)
					}
					rec.Eventf(fixture.Pod("default", "web"), nil, "Normal", "Pulled", "Pull", "not selected")
					rec.Eventf(fixture.Pod("default", "web"), nil, "Warning", "BackOff", "Restart", "written")
					fixture.Flush(t, a)
					if e := only(t, c); e.Reason != "BackOff" {
						t.Errorf("%s is written, want BackOff", e.Reason)
					}
					checkAccounts(t, a, 1, 0, map[events.DropReason]int64{events.DropUnselected: 1})
					if got := a.Snapshot(0).Selector; got != test.want {
						t.Errorf("selector %q, want %q", got, test.want)
					}
				})
			})
		}
	}
}

// Leader election takes a recorder of the old shape, which follows the switch as all others do.
func TestLegacyRecorderFollowsTheSwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		a, _ := start(t, c)
		lock := resourcelock.ResourceLockConfig{EventRecorder: legacy.AsLegacy(a.Recorder(controller))}
		became := func(what string) {
			lock.EventRecorder.Eventf(fixture.Pod("default", "lease"), "Normal", "LeaderElection", "me %v", what)
			fixture.Flush(t, a)
		}
		became("became leader")
		became("stopped leading") // another message is another Event, as with client-go
		checkWrites(t, c, 2, 0)

		time.Sleep(time.Minute)
		c.ServeEventsV1(false)
		became("became leader") // a patch: refused by v1, taken by core/v1
		became("became leader") // by client-go's correlator
		checkAPI(t, a, adapter.ModeLegacy)
		if w := c.Writes().CoreV1; w.Patches != 1 || w.Creates != 1 {
			t.Errorf("requests: %+v, want a patch and a create through core/v1", w)
		}
		c.ServeEventsV1(true)
		time.Sleep(5*time.Minute + time.Second)
		became("became leader") // counts on in the series
		checkAPI(t, a, adapter.ModeEventsV1)
		if w := c.Writes().CoreV1; w.Patches != 1 || w.Creates != 1 {
			t.Errorf("requests: %+v after the switch back, want none more through core/v1", w)
		}
		checkAccounts(t, a, 5, 0, nil)
		labels := events.MetricLabels{
			ReportingController: controller,
			RegardingKind:       "Pod",
			Type:                "Normal",
			Reason:              "LeaderElection",
		}
		want := []events.LabeledCounts{{MetricLabels: labels, Observed: 5, Recorded: 5}}
		if diff := cmp.Diff(want, a.Snapshot(0).Counts, cmpopts.IgnoreFields(events.LabeledCounts{}, "Dropped")); diff != "" {
			t.Errorf("the counts of both cores (-want +got):\n%s", diff)
		}
		var counts []int64
		for _, e := range c.Events() {
			counts = append(counts, count(&e))
		}
		if slices.Sort(counts); !slices.Equal(counts, []int64{1, 1, 3}) {
			t.Errorf("counts on the server: %v, want the series at 3 and 1, and the old shape at 1", counts)
		}
	})
}
