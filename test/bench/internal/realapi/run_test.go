// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// little is enough to see that all is there. It notes who has a turn.
func little(turns *[]string) Options {
	return Options{Rounds: 2, Events: 50, Series: 30, Writers: 3, Progress: func(_, _ int, who string) {
		*turns = append(*turns, who)
	}}.withDefaults()
}

// Every contender has its turn in every round, and what it delivers is what the server has.
//
// Caught: rounds that do not rotate; trials that share namespaces; delivered without its pages, or by the answers;
// barePatches with another resourceVersion; sdkDrain with nothing pending.
func TestRun(t *testing.T) {
	var turns []string
	var sections []report.Section
	for _, title := range []string{Creates, Drain} {
		s, err := run(t.Context(), newServer(t, ""), title, little(&turns))
		if err != nil {
			t.Fatal(err)
		}
		sections = append(sections, s)
	}
	type line struct{ What, Unit, Contender string }
	var got []line
	for _, s := range sections {
		for _, r := range s.Rows {
			if len(r.Values) != 2 {
				t.Errorf("%s of %s: %d rounds", r.What, r.Contender, len(r.Values))
			}
			if r.Unit == "%" {
				if diff := cmp.Diff([]float64{100, 100}, r.Values); diff != "" {
					t.Errorf("%s of %s (-want +got):\n%s", r.What, r.Contender, diff)
				}
			}
			if r.Median() <= 0 {
				t.Errorf("%s of %s: %v", r.What, r.Contender, r.Values)
			}
			got = append(got, line{r.What, r.Unit, r.Contender})
		}
	}
	var want []line
	for _, scene := range []struct {
		what       string
		contenders []string
	}{
		{"creates", []string{report.Bare, report.SDK, report.ToolsEvents, report.ToolsRecord}},
		{"patches", []string{report.Bare, report.SDK}},
	} {
		for _, row := range [][2]string{
			{scene.what, "writes/s"}, {scene.what + " delivered", "%"}, {"the client's CPU, " + scene.what, "CPU µs/write"},
		} {
			for _, c := range scene.contenders {
				want = append(want, line{row[0], row[1], c})
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	first := map[string]bool{}
	for i, who := range turns[:12] {
		if i%4 == 0 {
			first[who] = true
		}
	}
	if len(first) != 3 {
		t.Errorf("three rounds began with %v", first)
	}
}

// What a server says yes to and does not keep is not delivered.
//
// Caught: delivery counted by the answers; by Events, whatever their count; a demand that looks at the median.
func TestRunBelievesTheServer(t *testing.T) {
	o := little(new([]string))
	for i, forgetful := range []string{http.MethodPost, http.MethodPatch} {
		scene := scenes(o)[i]
		scene.contenders = scene.contenders[:2]
		rounds, err := scene.play(t.Context(), newServer(t, forgetful), o)
		if err != nil {
			t.Fatal(err)
		}
		want := 100 * float64(scene.size-1) / float64(scene.size)
		for _, r := range scene.section(rounds).Rows {
			if r.Unit != "%" {
				continue
			}
			if diff := cmp.Diff([]float64{want, want}, r.Values); diff != "" {
				t.Errorf("%s by %s (-want +got):\n%s", r.What, r.Contender, diff)
			}
			if r.Contender == report.SDK && r.Demand.Pass {
				t.Errorf("%s: %v is not what was demanded", r.What, r.Values)
			}
		}
	}
}
