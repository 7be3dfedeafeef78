// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

func TestImageIsPulledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, cri.Image{Name: "app", PullTime: 1500 * time.Millisecond})
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
		w := newWorld(t, cri.Image{Name: "app", PullErrors: cri.Always})
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Hour)
		pulls, backOffs := 0, 0
		for _, o := range w.events.about("web") {
			switch {
			case o.reason == reasonPulling:
				pulls++
			case o.reason == reasonBackOff && o.verb == actionPull:
				backOffs++
			case o.reason == reasonStarted:
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
		w := newWorld(t, cri.Image{Name: "app", PullErrors: 1})
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Minute)
		wantReasons(t, w, "web",
			"Normal Pulling", "Warning Failed", "Warning Failed",
			"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started")
	})
}

func TestPodDeletedWhileItsImageIsPulled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, cri.Image{Name: "app", PullTime: time.Hour})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, time.Minute)
		w.kubelet.DeletePod(t.Context(), pod)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantReasons(t, w, "web", "Normal Pulling")
		if w.kubelet.pods.Get(pod.UID) != nil {
			t.Error("the pod is still there")
		}
	})
}
