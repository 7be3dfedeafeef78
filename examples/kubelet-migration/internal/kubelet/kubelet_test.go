// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// occurrence is one call of Eventf.
type occurrence struct {
	at                        time.Time
	regarding                 corev1.ObjectReference
	related                   *corev1.ObjectReference
	eventType, reason, action string
	note                      string
}

// keepingRecorder keeps what it records.
type keepingRecorder struct {
	mu   sync.Mutex
	kept []occurrence
}

// Eventf keeps an occurrence.
func (r *keepingRecorder) Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := occurrence{at: time.Now(), eventType: eventType, reason: reason, action: action, note: fmt.Sprintf(note, args...)}
	o.regarding = *regarding.(*corev1.ObjectReference)
	o.related, _ = related.(*corev1.ObjectReference)
	r.kept = append(r.kept, o)
}

// about returns what was recorded about a pod so far.
func (r *keepingRecorder) about(pod string) (out []occurrence) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.kept {
		if o.regarding.Name == pod {
			out = append(out, o)
		}
	}
	return out
}

// reasons is about, as "Normal Started" and so on.
func (r *keepingRecorder) reasons(pod string) (out []string) {
	for _, o := range r.about(pod) {
		out = append(out, o.eventType+" "+o.reason)
	}
	return out
}

// world is a kubelet with everything around it.
type world struct {
	kubelet *Kubelet
	runtime *Runtime
	events  *keepingRecorder
}

// newWorld runs a kubelet for the length of a test.
func newWorld(t *testing.T, images ...Image) *world {
	t.Helper()
	w := &world{runtime: NewRuntime(images...), events: new(keepingRecorder)}
	w.kubelet = New("node-1", w.events, w.runtime)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.kubelet.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return w
}

func newPod(name, image string, restart corev1.RestartPolicy) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-of-" + name)},
		Spec: corev1.PodSpec{
			RestartPolicy: restart,
			Containers:    []corev1.Container{{Name: "main", Image: image}},
		},
	}
}

// add assigns a pod to the node and lets time pass.
func (w *world) add(t *testing.T, pod *corev1.Pod, d time.Duration) {
	t.Helper()
	w.kubelet.AddPod(t.Context(), pod)
	time.Sleep(d)
	synctest.Wait()
}

func wantReasons(t *testing.T, w *world, pod string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, w.events.reasons(pod)); diff != "" {
		t.Errorf("events of %s (-want +got):\n%s", pod, diff)
	}
}

// crashes is an image whose containers run for d and exit with the code.
func crashes(d time.Duration, code int) Image {
	return Image{Name: "app", Run: func(string, int) (time.Duration, int) { return d, code }}
}

func TestPodStartsAndIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Image{Name: "app", PullTime: 2 * time.Second})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, time.Hour)
		starting := []string{"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started"}
		wantReasons(t, w, "web", starting...)
		w.kubelet.DeletePod(t.Context(), pod)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantReasons(t, w, "web", append(starting, "Normal Killing")...)
		if len(w.runtime.pods) != 0 {
			t.Errorf("left behind: %v", w.runtime.pods)
		}
	})
}

func TestEventsAreAboutTheContainerAndNameTheNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crashes(time.Second, 1))
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), 5*time.Minute)
		node := &corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "node-1"}
		versions := map[string]bool{}
		for _, o := range w.events.about("web") {
			want := corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "uid-of-web",
				FieldPath: "spec.containers{main}", ResourceVersion: o.regarding.ResourceVersion,
			}
			if diff := cmp.Diff(want, o.regarding); diff != "" {
				t.Fatalf("regarding of %s (-want +got):\n%s", o.reason, diff)
			}
			if diff := cmp.Diff(node, o.related); diff != "" {
				t.Fatalf("related of %s (-want +got):\n%s", o.reason, diff)
			}
			if o.action == "" {
				t.Fatalf("%s has no action", o.reason)
			}
			versions[o.regarding.ResourceVersion] = true
		}
		if len(versions) < 5 {
			t.Errorf("%d resource versions among the occurrences, want status writes between them", len(versions))
		}
		first := w.events.kept[0]
		if first.reason != "Starting" || !cmp.Equal(&first.regarding, node) || first.related != nil {
			t.Errorf("first occurrence: %+v, want the start of the kubelet", first)
		}
	})
}

func TestCrashLoopBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, crashes(time.Second, 1))
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

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
