// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import "slices"

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
		for _, change := range []func(*ComponentConfig){
			func(c *ComponentConfig) { c.Notes = 0 },
			func(c *ComponentConfig) { c.MaxSeries = 0 },
			func(c *ComponentConfig) { c.InFlight = 1 },
			func(c *ComponentConfig) { c.Filtered = false },
			func(c *ComponentConfig) { c.QPS = 0 },
			func(c *ComponentConfig) { c.Limit = 0 },
			func(c *ComponentConfig) { c.Publish = 0 },
			func(c *ComponentConfig) { c.Published, c.PublishEvery = 0, 0 },
			func(c *ComponentConfig) { c.Refresh = 0 },
			func(c *ComponentConfig) { c.Finish = 0 },
			func(c *ComponentConfig) { c.RetryFor = 0 },
			func(c *ComponentConfig) { c.WriteTimeout = 0 },
			func(c *ComponentConfig) { c.DrainTimeout = 0 },
		} {
			simpler := s
			simpler.Config.Components = slices.Clone(s.Config.Components)
			change(&simpler.Config.Components[i])
			if simpler.Config.Components[i] != s.Config.Components[i] && fails(simpler) {
				s = simpler
			}
		}
	}
	return s
}
