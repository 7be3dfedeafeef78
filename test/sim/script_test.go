// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A seed gives the same script again, another seed another one.
func TestGenerate(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(50) {
		script := Generate(seed).String()
		if diff := cmp.Diff(script, Generate(seed).String()); diff != "" {
			t.Errorf("seed %d (-first +second):\n%s", seed, diff)
		}
		_, content, _ := strings.Cut(script, "\n")
		if other, ok := seen[content]; ok {
			t.Errorf("seeds %d and %d give the same script", seed, other)
		}
		seen[content] = seed
	}
}

// What is left of a script is what it takes to fail, with the smallest numbers.
func TestShrink(t *testing.T) {
	script := Generate(7)
	script.Steps = append(script.Steps, Step{Act: emitAct, Args: []int{1, 2, 3, 4, 5, 6, 7}})
	script.Config.Components = append(script.Config.Components, ComponentConfig{InFlight: 4, MaxSeries: 10})
	runs := 0
	short := Shrink(script, func(s Script) bool {
		runs++
		emits := slices.ContainsFunc(s.Steps, func(s Step) bool { return s.Act == emitAct && s.Args[2] >= 2 })
		waits := slices.ContainsFunc(s.Steps, func(s Step) bool { return s.Act == waitAct })
		return emits && waits && s.Config.Components[len(s.Config.Components)-1].MaxSeries == 10
	}, 1000)
	if len(short.Steps) != 2 || runs > 1000 {
		t.Fatalf("%d steps after %d runs, want 2:\n%s", len(short.Steps), runs, short)
	}
	for _, step := range short.Steps {
		sum := 0
		for _, n := range step.Args {
			sum += n
		}
		if want := map[int]int{emitAct: 2, waitAct: 0}[step.Act]; sum > want {
			t.Errorf("%s: want the numbers to be as small as can be", step)
		}
	}
	if last := short.Config.Components[len(short.Config.Components)-1]; last.InFlight != 1 || last.MaxSeries != 10 {
		t.Errorf("options that do not matter are left: %+v", last)
	}
}
