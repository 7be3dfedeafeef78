// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"testing"
)

// counter is a rate limiter that lets everything pass, and counts it.
type counter struct{ passed int }

func (c *counter) Wait(context.Context) error {
	c.passed++
	return nil
}

// A write that has waited for its rate limiter ahead has passed it for one request. A further request of the same
// write waits again, because otherwise the component would send more than its client may.
func TestPacedIsForOneRequest(t *testing.T) {
	of := &counter{}
	limiter := NewLimiter(of)
	other := NewLimiter(&counter{})
	for name, row := range map[string]struct {
		paced Limiter
		want  int
	}{
		"not paced":        {Limiter{}, 2},
		"paced":            {limiter, 1},
		"paced by another": {other, 2},
	} {
		t.Run(name, func(t *testing.T) {
			of.passed = 0
			ctx := WithInfo(t.Context(), &Info{Paced: row.paced})
			for range 2 {
				err := limiter.Wait(ctx)
				if err != nil {
					t.Fatal(err)
				}
			}
			if of.passed != row.want {
				t.Errorf("two requests pass the rate limiter %d times, want %d", of.passed, row.want)
			}
		})
	}
}
