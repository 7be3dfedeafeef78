// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

const uid = "uid-1"

// newPod returns a runtime with a pod and one running container of the image.
func newPod(t *testing.T, image Image) (*Runtime, string) {
	t.Helper()
	r := New(image)
	if err := r.PullImage(t.Context(), image.Name); err != nil {
		t.Fatal(err)
	}
	r.RunPod(uid, "web")
	return r, start(t, r, image.Name)
}

func start(t *testing.T, r *Runtime, image string) string {
	t.Helper()
	id, err := r.CreateContainer(t.Context(), uid, "main", image)
	if err == nil {
		err = r.StartContainer(t.Context(), uid, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// latest is the youngest container, by inspection.
func latest(t *testing.T, r *Runtime) ContainerStatus {
	t.Helper()
	status, err := r.PodStatus(t.Context(), uid)
	if err != nil {
		t.Fatal(err)
	}
	c := status.Latest("main")
	if c == nil {
		t.Fatal("no container")
	}
	return *c
}

func TestContainerCrashesAsItsImageSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var runs []int
		image := Image{Name: "app", Run: func(pod string, n int) (time.Duration, int) {
			runs = append(runs, n)
			return time.Duration(n+1) * time.Minute, 7
		}}
		r, _ := newPod(t, image)
		defer r.Close()
		if got := latest(t, r).State; got != Running {
			t.Fatalf("state after the start = %v", got)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if c := latest(t, r); c.State != Exited || c.ExitCode != 7 || c.FinishedAt.Sub(c.StartedAt) != time.Minute {
			t.Errorf("first run: %+v, want it to exit with 7 after a minute", c)
		}
		start(t, r, "app")
		time.Sleep(time.Minute)
		synctest.Wait()
		if c := latest(t, r); c.State != Running || c.ID != "web/main/1" {
			t.Errorf("second run after a minute: %+v, want it to run for two", c)
		}
		if len(runs) != 2 || runs[0] != 0 || runs[1] != 1 {
			t.Errorf("runs %v, want 0 and 1", runs)
		}
	})
}

func TestStopAndRemove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, id := newPod(t, Image{Name: "app"})
		defer r.Close()
		r.RemoveContainer(uid, id)
		if got := latest(t, r).State; got != Running {
			t.Fatalf("a running container was removed: %v", got)
		}
		if err := r.StopContainer(t.Context(), uid, id); err != nil {
			t.Fatal(err)
		}
		if c := latest(t, r); c.State != Exited || c.ExitCode != stopped {
			t.Errorf("after the stop: %+v", c)
		}
		r.RemoveContainer(uid, id)
		if pods, _ := r.Pods(t.Context()); len(pods) != 0 {
			t.Errorf("pods after the last container was removed: %v", pods)
		}
	})
}

func TestWhatCannotBeStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, id := newPod(t, Image{Name: "app"})
		defer r.Close()
		if _, err := r.CreateContainer(t.Context(), "nobody", "main", "app"); err == nil {
			t.Error("created a container in no pod")
		}
		if _, err := r.CreateContainer(t.Context(), uid, "main", "other"); err == nil {
			t.Error("created a container without an image")
		}
		if err := r.StartContainer(t.Context(), uid, id); err == nil {
			t.Error("started a container that runs")
		}
	})
}

func TestUnreadableStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := newPod(t, Image{Name: "app"})
		defer r.Close()
		r.BreakStatus(uid, true)
		if _, err := r.PodStatus(t.Context(), uid); !errors.Is(err, ErrStatus) {
			t.Errorf("status of a broken pod: %v, want ErrStatus", err)
		}
		if pods, err := r.Pods(t.Context()); err != nil || len(pods) != 1 {
			t.Errorf("listing with a broken pod: %v, %v, want it to work", pods, err)
		}
		r.BreakStatus(uid, false)
		latest(t, r)
	})
}

func TestNothingHappensAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		image := Image{Name: "app", Run: func(string, int) (time.Duration, int) { return time.Minute, 1 }}
		r, _ := newPod(t, image)
		events, err := r.Watch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		time.Sleep(time.Hour)
		if event, open := <-events; open {
			t.Errorf("event after Close: %v", event)
		}
	})
}
