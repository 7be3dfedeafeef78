// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"testing"
)

// counter is a rate limiter that lets every request pass, and counts them.
type counter struct{ passed int }

func (c *counter) Wait(context.Context) error {
	c.passed++
	return nil
}

// If the writer has waited for the rate limiter on behalf of a write, the first request of the
// write need not wait. A second request of the same write waits, because otherwise the component
// would send more requests than its client may.
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
