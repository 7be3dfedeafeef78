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
