// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestContainerEndsAsItsImageSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRuntime(Image{Name: "app", Run: func(pod string, n int) (time.Duration, int) {
			return time.Duration(n+1) * time.Minute, len(pod)
		}})
		r.RunPod("p", "web")
		for n := range 2 {
			id, err := r.CreateContainer(t.Context(), "p", "main", "app")
			if err != nil {
				t.Fatal(err)
			}
			if err := r.StartContainer(t.Context(), "p", id); err != nil {
				t.Fatal(err)
			}
			want := time.Now().Add(time.Duration(n+1) * time.Minute)
			time.Sleep(time.Hour)
			status, err := r.PodStatus("p")
			if err != nil {
				t.Fatal(err)
			}
			c := status.latest("main")
			if c.ID != id || c.State != Exited || c.FinishedAt != want || c.ExitCode != len("web") {
				t.Errorf("run %d: %+v, want an exit at %v", n, c, want)
			}
		}
	})
}

func TestPullTakesItsTimeAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRuntime(Image{Name: "app", PullTime: time.Minute, PullErrors: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.PullImage(ctx, "app"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
		began := time.Now()
		if err := r.PullImage(t.Context(), "app"); !errors.Is(err, errPull) || r.HasImage("app") {
			t.Errorf("first pull: %v, want %v", err, errPull)
		}
		if err := r.PullImage(t.Context(), "app"); err != nil || !r.HasImage("app") {
			t.Errorf("second pull: %v", err)
		}
		if got := time.Since(began); got != 2*time.Minute {
			t.Errorf("two pulls took %v, want 2m", got)
		}
	})
}

func TestSlowWatcherLosesItsStream(t *testing.T) {
	r := NewRuntime()
	stream, err := r.Watch()
	if err != nil {
		t.Fatal(err)
	}
	for range streamSize + 1 {
		r.RunPod("p", "web")
		r.RemovePod("p")
	}
	n := 0
	for range stream {
		n++
	}
	if n != streamSize {
		t.Errorf("%d changes before the end of the stream, want %d", n, streamSize)
	}
}
