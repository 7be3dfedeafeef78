// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sample

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Every contender takes part in every scenario it is listed in, does what the
// scenario says, and ends. Times are not looked at.
//
// Caught: a sink that did not count, a floor that shared one counter among all
// keys, a log watcher that was not started, a contender without Stop.
func TestScenarios(t *testing.T) {
	for _, sc := range Scenarios() {
		if sc.Name == "Repeat/series=8192/args=no" {
			continue // the first with more series, which takes its time
		}
		for _, who := range sc.Contenders {
			t.Run(sc.Name+"/"+who, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, err := sc.Take(who, 40/float64(sc.ops(who)))
					if err != nil {
						t.Fatal(err)
					}
					check(t, s)
					time.Sleep(time.Hour) // a peer's last write ends by itself
				})
			})
		}
	}
}

// check holds what a sample says beside times.
func check(t *testing.T, s *Sample) {
	t.Helper()
	if s.Ops != 40 {
		t.Errorf("%d occurrences, want 40", s.Ops)
	}
	logged := 100.0
	if s.Scenario == "Logging/doublings" && s.Contender == report.SDK {
		logged = 100 * 3.0 / 40 // those that make 8, 16 and 32, after 4 before
	}
	formats := s.Contender != report.SDK && s.Contender != report.Floor && s.Contender != report.Empty
	for unit, want := range map[string]float64{
		"%delivered": 100, "%logged": logged, "%open": 100, "formatted/op": map[bool]float64{true: 1}[formats],
	} {
		for _, v := range s.Values {
			if v.Unit == unit && v.Value != want {
				t.Errorf("%v %s, want %v", v.Value, unit, want)
			}
		}
	}
	for _, v := range s.Values {
		if v.Value < 0 {
			t.Errorf("%v %s", v.Value, v.Unit)
		}
	}
}

// Caught: a name that a benchmark may not have.
func TestFind(t *testing.T) {
	for _, sc := range Scenarios() {
		if found, err := Find(sc.Name); err != nil || found.Name != sc.Name {
			t.Errorf("Find(%q) = %v, %v", sc.Name, found, err)
		}
	}
	if _, err := Find("Nothing"); err == nil {
		t.Error("found a scenario that there is not")
	}
	if _, err := (&Scenario{}).Take("nobody", 1); err == nil {
		t.Error("took a sample of a contender that there is not")
	}
}
