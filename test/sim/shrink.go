// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"reflect"
	"slices"
)

// Shrink returns a shorter script that also fails, after at most tries runs. It removes steps in ever smaller pieces,
// then reduces the numbers that are left, and sets options to their defaults.
func Shrink(s Script, fails func(Script) bool, tries int) Script {
	attempt := func(candidate Script) bool {
		tries--
		return tries >= 0 && fails(candidate)
	}
	for before := -1; before != len(s.Steps) && tries > 0; {
		before = len(s.Steps)
		s = withoutSteps(s, attempt)
	}
	s = withSmallNumbers(s, attempt)
	return withDefaults(s, attempt)
}

func withoutSteps(s Script, fails func(Script) bool) Script {
	for size := max(len(s.Steps)/2, 1); size >= 1; size /= 2 {
		for at := len(s.Steps) - size; at >= 0; {
			shorter := s
			shorter.Steps = slices.Delete(slices.Clone(s.Steps), at, at+size)
			if fails(shorter) {
				s = shorter
			}
			at = min(at-size, len(s.Steps)-size)
		}
	}
	return s
}

func withSmallNumbers(s Script, fails func(Script) bool) Script {
	for i := range s.Steps {
		for j, n := range s.Steps[i].Args {
			// The script fails with high. With low it does not, or was not tried.
			for low, high, middle := -1, n, 0; high-low > 1; middle = (low + high) / 2 {
				simpler := s
				simpler.Steps = slices.Clone(s.Steps)
				simpler.Steps[i].Args = slices.Clone(s.Steps[i].Args)
				simpler.Steps[i].Args[j] = middle
				if !fails(simpler) {
					low = middle
					continue
				}
				s, high = simpler, middle
			}
		}
	}
	return s
}

// withDefaults sets options to their defaults, one by one.
func withDefaults(s Script, fails func(Script) bool) Script {
	for i := range s.Config.Components {
		for field := range reflect.TypeFor[ComponentConfig]().NumField() {
			simpler := s
			simpler.Config.Components = slices.Clone(s.Config.Components)
			c := &simpler.Config.Components[i]
			reflect.ValueOf(c).Elem().Field(field).SetZero()
			c.InFlight = max(c.InFlight, 1)
			if *c != s.Config.Components[i] && fails(simpler) {
				s = simpler
			}
		}
	}
	return s
}
