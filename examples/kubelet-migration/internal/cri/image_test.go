// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPullImage(t *testing.T) {
	images := []Image{
		{Name: "good", PullTime: 3 * time.Second},
		{Name: "flaky", PullErrors: 2},
		{Name: "missing", PullErrors: Always},
	}
	for _, test := range []struct {
		image string
		pulls int  // until the last, which is looked at
		want  bool // it succeeds
	}{
		{image: "good", pulls: 1, want: true},
		{image: "flaky", pulls: 2, want: false},
		{image: "flaky", pulls: 3, want: true},
		{image: "missing", pulls: 20, want: false},
		{image: "unheard of", pulls: 1, want: false},
	} {
		t.Run(test.image, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := New(images...)
				var err error
				for range test.pulls {
					err = r.PullImage(t.Context(), test.image)
				}
				if got := err == nil; got != test.want || got != r.HasImage(test.image) {
					t.Errorf("pull %d of %s: %v, HasImage=%v, want success=%v",
						test.pulls, test.image, err, r.HasImage(test.image), test.want)
				}
				if err != nil && !errors.Is(err, ErrPull) {
					t.Errorf("error %v does not wrap ErrPull", err)
				}
			})
		})
	}
}

func TestPullTakesItsTimeAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Image{Name: "big", PullTime: time.Minute})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		err := r.PullImage(ctx, "big")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("pull with a deadline of 1s: %v after %v", err, time.Since(began))
		}
		if err := r.PullImage(t.Context(), "big"); err != nil || time.Since(began) != time.Minute+time.Second {
			t.Errorf("pull without: %v after %v, want nil a minute later", err, time.Since(began))
		}
	})
}
