// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// While a worker pulls the image of a sidecar, the main container crashes. So it
// looks again right after it started the sidecar, and before a listing can have
// shown that.
func TestWorkerDoesNotActOnWhatItSawBeforeItsLastStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crashOnce := func(_ string, n int) (time.Duration, int) {
			if n == 0 {
				return 4 * time.Second, 1
			}
			return 24 * time.Hour, 0
		}
		w := newWorld(t, NewGeneric, Image{Name: "app", Run: crashOnce}, Image{Name: "big", PullTime: 10 * time.Second})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "sidecar", Image: "big"})
		w.add(t, pod, time.Minute)
		got := map[string]int{}
		for _, o := range w.events.about("web") {
			if o.reason == "Started" {
				got[o.regarding.FieldPath]++
			}
		}
		want := map[string]int{"spec.containers{main}": 2, "spec.containers{sidecar}": 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("starts (-want +got):\n%s", diff)
		}
	})
}

func TestWorkersOfEquallyNamedPodsBehaveAlike(t *testing.T) {
	k := New("node-1", nil, nil, new(PLEG))
	one := newWorker(t.Context(), k, newPod("web", "app", corev1.RestartPolicyAlways))
	two := newWorker(t.Context(), k, newPod("web", "app", corev1.RestartPolicyAlways))
	other := newWorker(t.Context(), k, newPod("db", "app", corev1.RestartPolicyAlways))
	if a, b, c := one.rand.Uint64(), two.rand.Uint64(), other.rand.Uint64(); a != b || a == c {
		t.Errorf("random numbers %d, %d and of another pod %d", a, b, c)
	}
}

func TestCrashLoopBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, crashes(time.Second, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Hour)
		var starts []time.Time
		backOffs := 0
		for _, o := range w.events.about("web") {
			switch o.reason {
			case "Started":
				starts = append(starts, o.at)
			case "BackOff":
				backOffs++
			}
		}
		if len(starts) < 8 {
			t.Fatalf("%d starts in an hour", len(starts))
		}
		// At once after the first crash, then 10 s doubling to 5 min. The worker looks
		// each 10 to 15 s, and the container runs for one.
		for i, least := range []time.Duration{0, 10, 20, 40, 80, 160, 300, 300} {
			least *= time.Second
			gap := starts[i+1].Sub(starts[i])
			if gap < least || gap > least+20*time.Second {
				t.Errorf("gap after start %d: %v, want %v to %v", i, gap, least, least+20*time.Second)
			}
		}
		if backOffs < 200 || backOffs > 360 {
			t.Errorf("%d BackOff in an hour, want one each 10 to 15 s", backOffs)
		}
	})
}

func TestLongRunEndsTheBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, crashes(11*time.Minute, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), 3*time.Hour)
		for _, reason := range w.events.reasons("web") {
			if reason == "Warning BackOff" {
				t.Fatal("backed off after a run of 11 minutes")
			}
		}
	})
}

func TestRestartPolicy(t *testing.T) {
	for _, test := range []struct {
		policy   corev1.RestartPolicy
		code     int
		restarts bool
	}{
		{corev1.RestartPolicyAlways, 0, true},
		{corev1.RestartPolicyAlways, 1, true},
		{corev1.RestartPolicyOnFailure, 0, false},
		{corev1.RestartPolicyOnFailure, 1, true},
		{corev1.RestartPolicyNever, 0, false},
		{corev1.RestartPolicyNever, 1, false},
	} {
		t.Run(string(test.policy), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, NewEvented, crashes(time.Second, test.code))
				w.add(t, newPod("job", "app", test.policy), time.Minute)
				starts := 0
				for _, o := range w.events.about("job") {
					if o.reason == "Started" {
						starts++
					}
				}
				if got := starts > 1; got != test.restarts {
					t.Errorf("%d starts after exit code %d, want restarts: %v", starts, test.code, test.restarts)
				}
			})
		})
	}
}

func TestOneDeadContainerIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, crashes(time.Second, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), 10*time.Minute)
		pods, _ := w.runtime.Pods()
		if len(pods) != 1 {
			t.Fatal(pods)
		}
		if got := len(pods[0].Containers); got != 2 {
			t.Errorf("%d containers after several restarts, want the latest and the one before", got)
		}
	})
}

func TestUnreadableStatusHoldsThePodBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, crashes(20*time.Second, 1))
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, 10*time.Second)
		// The status also comes with the stream, which must not hide this.
		w.runtime.CutStream(true)
		w.runtime.BreakStatus(pod.UID, true)
		time.Sleep(5 * time.Minute)
		started := []string{"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started"}
		wantReasons(t, w, "web", started...)
		w.runtime.BreakStatus(pod.UID, false)
		time.Sleep(20 * time.Second)
		wantReasons(t, w, "web", append(started, "Normal Pulled", "Normal Created", "Normal Started")...)
	})
}

func TestImageIsPulledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, Image{Name: "app", PullTime: 1500 * time.Millisecond})
		w.add(t, newPod("one", "app", corev1.RestartPolicyAlways), time.Minute)
		w.add(t, newPod("two", "app", corev1.RestartPolicyAlways), time.Minute)
		wantReasons(t, w, "two", "Normal Pulled", "Normal Created", "Normal Started")
		got := []string{w.events.about("one")[1].note, w.events.about("two")[0].note}
		want := []string{`pulled image "app" in 1.5s`, `image "app" is already on the node`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
	})
}

func TestFailingPullsBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, Image{Name: "app", PullErrors: Always})
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Hour)
		pulls, backOffs := 0, 0
		for _, o := range w.events.about("web") {
			switch {
			case o.reason == "Pulling":
				pulls++
			case o.reason == "BackOff" && o.action == actionPull:
				backOffs++
			case o.reason == "Started":
				t.Fatal("started without an image")
			}
		}
		// 10 s doubling to 5 min: six pulls in the first 5 minutes, then 11.
		if pulls < 13 || pulls > 18 || backOffs < 200 {
			t.Errorf("%d pulls and %d BackOff in an hour", pulls, backOffs)
		}
	})
}

func TestPullThatSucceedsInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, Image{Name: "app", PullErrors: 1})
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Minute)
		wantReasons(t, w, "web",
			"Normal Pulling", "Warning Failed", "Warning Failed",
			"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started")
	})
}

func TestPodDeletedWhileItsImageIsPulled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, NewEvented, Image{Name: "app", PullTime: time.Hour})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, time.Minute)
		w.kubelet.DeletePod(t.Context(), pod)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantReasons(t, w, "web", "Normal Pulling")
	})
}
