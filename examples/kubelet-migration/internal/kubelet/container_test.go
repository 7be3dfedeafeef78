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

func TestCrashLoopBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crashes(time.Second, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Hour)
		var starts []time.Time
		backOffs := 0
		for _, o := range w.events.about("web") {
			switch o.reason {
			case reasonStarted:
				starts = append(starts, o.at)
			case reasonBackOff:
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
		w := newWorld(t, crashes(11*time.Minute, 1))
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
				w := newWorld(t, crashes(time.Second, test.code))
				w.add(t, newPod("job", "app", test.policy), time.Minute)
				starts := 0
				for _, o := range w.events.about("job") {
					if o.reason == reasonStarted {
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
		w := newWorld(t, crashes(time.Second, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), 10*time.Minute)
		pods, err := w.runtime.Pods(t.Context())
		if err != nil || len(pods) != 1 {
			t.Fatal(pods, err)
		}
		if got := len(pods[0].Containers); got != 2 {
			t.Errorf("%d containers after several restarts, want the latest and the one before", got)
		}
	})
}

func TestUnreadableStatusHoldsThePodBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crashes(20*time.Second, 1))
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, 10*time.Second)
		// The status also comes with the stream, which must not hide this.
		w.runtime.CutStream()
		w.runtime.BreakStatus(pod.UID, true)
		time.Sleep(5 * time.Minute)
		started := []string{"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started"}
		wantReasons(t, w, "web", started...)
		w.runtime.BreakStatus(pod.UID, false)
		time.Sleep(20 * time.Second)
		wantReasons(t, w, "web", append(started, "Normal Pulled", "Normal Created", "Normal Started")...)
	})
}

func TestPodStatus(t *testing.T) {
	container := func(state cri.State) *cri.PodStatus {
		return &cri.PodStatus{Containers: []cri.ContainerStatus{
			{Container: cri.Container{ID: "web/main/0", Name: "main", State: state}, ExitCode: 3},
		}}
	}
	pod := newPod("web", "app", corev1.RestartPolicyAlways)
	for _, test := range []struct {
		name    string
		status  *cri.PodStatus
		waiting map[string]string
		phase   corev1.PodPhase
		state   corev1.ContainerState
	}{
		{"nothing yet", &cri.PodStatus{}, nil, corev1.PodPending, corev1.ContainerState{}},
		{"running", container(cri.Running), nil, corev1.PodRunning,
			corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}},
		{"exited", container(cri.Exited), nil, corev1.PodPending,
			corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 3}}},
		{"waiting", container(cri.Exited), map[string]string{"main": "why"}, corev1.PodPending,
			corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "BackOff", Message: "why"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := podStatus(pod, test.status, test.waiting)
			if diff := cmp.Diff(test.state, got.ContainerStatuses[0].State); diff != "" || got.Phase != test.phase {
				t.Errorf("phase %v, want %v; state (-want +got):\n%s", got.Phase, test.phase, diff)
			}
		})
	}
}
