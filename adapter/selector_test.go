// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"testing"
	"testing/synctest"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// The selector mutes what is written through either broadcaster, from the environment, an option or a call.
//
// Caught: one of the broadcasters left out; the option that wins over the operator; a Status that does not say it.
func TestSelector(t *testing.T) {
	for _, test := range []struct {
		name, env, option, call string
		mode                    adapter.API
		want                    string
	}{
		{"an option", "", "type=Warning", "", adapter.EventsV1, "type=Warning"},
		{"an option, in mode legacy", "", "type=Warning", "", adapter.Legacy, "type=Warning"},
		{"the operator wins", "type!=Normal", "type=Normal", "", adapter.EventsV1, "type!=Normal"},
		{"the operator's is invalid", "typ=Normal", "type=Warning", "", adapter.EventsV1, "type=Warning"},
		{"a call", "type=Normal", "", "type=Warning", adapter.EventsV1, "type=Warning"},
		{"a call, in mode legacy", "type=Normal", "", "type=Warning", adapter.Legacy, "type=Warning"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(adapter.EnvironmentSelector, test.env)
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				a, rec := start(t, c, adapter.WithMode(test.mode), adapter.WithSelector(test.option))
				if test.call != "" {
					if err := a.SetSelector(test.call); err != nil {
						t.Fatal(err)
					}
				}
				rec.Eventf(newPod("default", "web"), nil, "Normal", "Pulled", "Pull", "muted")
				rec.Eventf(newPod("default", "web"), nil, "Warning", "BackOff", "Restart", "written")
				flush(t, a)
				if e := only(t, c); e.Reason != "BackOff" {
					t.Errorf("%s is written, want BackOff", e.Reason)
				}
				status := a.Snapshot(0)
				if status.Selector != test.want || a.Stats().Dropped[events.Muted] != 1 {
					t.Errorf("selector %q, muted %d; want %q and 1", status.Selector, status.Stats.Dropped[events.Muted], test.want)
				}
			})
		})
	}
}

// Caught: two lines for one mistake; a component that does not start for an operator's typo.
func TestEnvironmentThatIsNoSelector(t *testing.T) {
	t.Setenv(adapter.EnvironmentSelector, "reasn=BackOff")
	synctest.Test(t, func(t *testing.T) {
		log, logged := withLog()
		a, _ := start(t, newCluster(), logged)
		log.CheckOnce(t, "An environment variable is ignored: correct it in the component's environment")
		if err := a.SetSelector("type"); err == nil || a.Snapshot(0).Selector != "" {
			t.Errorf("SetSelector: %v, selector %q; want an error and none", err, a.Snapshot(0).Selector)
		}
	})
}
