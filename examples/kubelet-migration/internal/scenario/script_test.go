// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// diary is a kubelet that writes down what it is told, and when.
type diary struct {
	began time.Time
	lines []string
}

// AddPod notes a pod that comes.
func (d *diary) AddPod(_ context.Context, pod *corev1.Pod) { d.note("add", pod) }

// DeletePod notes a pod that goes.
func (d *diary) DeletePod(_ context.Context, pod *corev1.Pod) { d.note("delete", pod) }

func (d *diary) note(what string, pod *corev1.Pod) {
	d.lines = append(d.lines, fmt.Sprint(time.Since(d.began), " ", what, " ", pod.Name))
}

// play plays a script in a bubble of its own and returns the diary.
func play(t *testing.T, seed uint64, length time.Duration) (lines []string) {
	synctest.Test(t, func(t *testing.T) {
		script := New(seed, length, "default", "node-1")
		runtime := cri.New(script.Images...)
		defer runtime.Close()
		d := &diary{began: time.Now()}
		script.Play(t.Context(), d, runtime)
		if got := time.Since(d.began); got != length {
			t.Errorf("it took %v, want %v", got, length)
		}
		lines = d.lines
	})
	return lines
}

func TestSameSeedSameHour(t *testing.T) {
	one, two := play(t, 1, time.Hour), play(t, 1, time.Hour)
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("two plays of one seed (-first +second):\n%s", diff)
	}
	if cmp.Equal(one, play(t, 2, time.Hour)) {
		t.Error("another seed, and the same hour")
	}
}

func TestEveryPodComesOnceAndGoesAfterThat(t *testing.T) {
	script := New(1, time.Hour, "default", "node-1")
	var lines = play(t, 1, time.Hour)
	came := map[string]bool{}
	for _, line := range lines {
		var at, what, name string
		if _, err := fmt.Sscan(line, &at, &what, &name); err != nil {
			t.Fatal(err)
		}
		if (what == "add") == came[name] {
			t.Errorf("%s, although it came before: %v", line, came[name])
		}
		came[name] = true
	}
	if len(came) != script.Pods || len(came) < 110 {
		t.Errorf("%d pods, want the %d of the script, a busy node", len(came), script.Pods)
	}
}

func TestStreamIsCutAndRestored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := New(1, 100*time.Minute, "default", "node-1")
		runtime := cri.New(script.Images...)
		defer runtime.Close()
		go script.Play(t.Context(), &diary{began: time.Now()}, runtime)
		for _, want := range []struct {
			until time.Duration
			works bool
		}{{39, true}, {41, false}, {54, false}, {56, true}, {101, true}} {
			time.Sleep(want.until*time.Minute - time.Since(start))
			_, err := runtime.Watch(t.Context())
			if got := err == nil; got != want.works {
				t.Errorf("after %d minutes: %v, want the stream to work: %v", want.until, err, want.works)
			}
		}
	})
}

// start is when time begins in every bubble.
var start = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func TestPlayEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		script := New(1, time.Hour, "default", "node-1")
		runtime := cri.New(script.Images...)
		defer runtime.Close()
		d := &diary{began: time.Now()}
		script.Play(ctx, d, runtime)
		if got := time.Since(d.began); got != time.Minute || len(d.lines) == 0 {
			t.Errorf("it ended after %v with %d steps, want a minute and some", got, len(d.lines))
		}
	})
}

func TestRunsOfAContainerFollowFromThePodAndTheNumber(t *testing.T) {
	one, two := New(1, time.Hour, "default", "node-1"), New(1, time.Hour, "default", "node-1")
	for i := range one.Images {
		if one.Images[i].Run == nil {
			continue
		}
		two.Images[i].Run("somebody else", 3)
		a, codeA := one.Images[i].Run("web", 5)
		b, codeB := two.Images[i].Run("web", 5)
		if other, _ := one.Images[i].Run("web", 6); a != b || codeA != codeB || a == other {
			t.Errorf("%s: run 5 lasts %v and %v, run 6 %v", one.Images[i].Name, a, b, other)
		}
	}
}
