// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/pleg"
)

// world is a kubelet with everything around it.
type world struct {
	kubelet *Kubelet
	runtime *cri.Runtime
	events  *notebook
	halt    func() // ends the kubelet and waits for it
}

// newWorld runs a kubelet that consumes the event stream.
func newWorld(t *testing.T, images ...cri.Image) *world {
	t.Helper()
	runtime, cache := cri.New(images...), pleg.NewCache()
	evented := pleg.NewEvented(pleg.NewGeneric(runtime, cache), runtime, pleg.DefaultSettings())
	return run(t, Parts{Runtime: runtime, Cache: cache, PLEG: evented})
}

// run runs a kubelet of the given parts.
func run(t *testing.T, parts Parts) *world {
	t.Helper()
	w := &world{runtime: parts.Runtime.(*cri.Runtime), events: new(notebook)}
	parts.Node, parts.Recorder = "node-1", w.events
	w.kubelet = New(parts)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.kubelet.Run(ctx) }()
	w.halt = func() { cancel(); <-done }
	t.Cleanup(func() { w.halt(); w.runtime.Close() })
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
func crashes(d time.Duration, code int) cri.Image {
	return cri.Image{Name: "app", Run: func(string, int) (time.Duration, int) { return d, code }}
}

func TestPodStartsAndIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, cri.Image{Name: "app", PullTime: 2 * time.Second})
		pod := newPod("web", "app", corev1.RestartPolicyAlways)
		w.add(t, pod, time.Hour)
		starting := []string{"Normal Pulling", "Normal Pulled", "Normal Created", "Normal Started"}
		wantReasons(t, w, "web", starting...)
		if phase := w.kubelet.pods.Get(pod.UID).Status.Phase; phase != corev1.PodRunning {
			t.Errorf("phase %v, want Running", phase)
		}
		w.kubelet.DeletePod(t.Context(), pod)
		time.Sleep(time.Minute)
		synctest.Wait()
		wantReasons(t, w, "web", append(starting, "Normal Killing")...)
		if left, _ := w.runtime.Pods(t.Context()); len(left) != 0 || w.kubelet.pods.Get(pod.UID) != nil {
			t.Errorf("left behind: %v, %v", left, w.kubelet.pods.Get(pod.UID))
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
			if o.verb == "" {
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

func TestKubeletThatEndsSaysNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, cri.Image{Name: "app", PullTime: time.Hour})
		w.add(t, newPod("web", "app", corev1.RestartPolicyAlways), time.Minute)
		w.halt()
		wantReasons(t, w, "web", "Normal Pulling")
		w.kubelet.AddPod(canceled(t), newPod("late", "app", corev1.RestartPolicyAlways)) // must not block
	})
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
