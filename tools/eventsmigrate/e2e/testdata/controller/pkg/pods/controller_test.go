// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pods

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	ktesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/record"
)

var begin = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

type fixture struct {
	*Controller
	client   *fake.Clientset
	recorder *record.FakeRecorder
}

func newFixture(t *testing.T, pods ...*corev1.Pod) *fixture {
	t.Helper()
	var objects []runtime.Object
	for _, pod := range pods {
		objects = append(objects, pod)
	}
	client := fake.NewClientset(objects...)
	informer := informers.NewSharedInformerFactory(client, 0).Core().V1().Pods()
	for _, pod := range pods {
		if err := informer.Informer().GetIndexer().Add(pod); err != nil {
			t.Fatal(err)
		}
	}
	c := NewController(t.Context(), client, client, informer)
	c.now = func() time.Time { return begin.Add(time.Hour) }
	fakeRecorder := record.NewFakeRecorder(10)
	c.recorder = fakeRecorder
	return &fixture{Controller: c, client: client, recorder: fakeRecorder}
}

func newPod(change func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "web", UID: "1", CreationTimestamp: metav1.NewTime(begin),
	}}
	change(pod)
	return pod
}

func withMaxAge(value string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) { pod.Annotations = map[string]string{MaxAge: value} }
}

func restarted(n int32) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", RestartCount: n}}
	}
}

func TestSyncPod(t *testing.T) {
	for name, tt := range map[string]struct {
		pod    func(*corev1.Pod)
		events []string
		gone   bool
	}{
		"no annotation": {pod: func(*corev1.Pod) {}},
		"young":         {pod: withMaxAge("2h")},
		"old": {
			pod:    withMaxAge("30m"),
			events: []string{"Normal Expired Pod is older than 30m0s and was deleted"},
			gone:   true,
		},
		"invalid": {
			pod:    withMaxAge("100%d"),
			events: []string{`Warning InvalidMaxAge time: unknown unit "%d" in duration "100%d"`},
		},
		"restarting": {
			pod:    restarted(6),
			events: []string{"Warning Restarting Container main was restarted 6 times"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, newPod(tt.pod))
			if err := f.syncPod(t.Context(), "default/web"); err != nil {
				t.Fatal(err)
			}
			checkEvents(t, f.recorder, tt.events)
			gone := false
			for _, action := range f.client.Actions() {
				gone = gone || action.Matches("delete", "pods")
			}
			if gone != tt.gone {
				t.Errorf("pod is gone: %v, want %v", gone, tt.gone)
			}
		})
	}
}

func checkEvents(t *testing.T, recorder *record.FakeRecorder, want []string) {
	t.Helper()
	if got := len(recorder.Events); got != len(want) {
		t.Fatalf("%d events, want %d", got, len(want))
	}
	for i := range want {
		if got := <-recorder.Events; got != want[i] {
			t.Errorf("event %d is %q, want %q", i, got, want[i])
		}
	}
}

func TestDeleteFails(t *testing.T) {
	f := newFixture(t, newPod(withMaxAge("30m")))
	f.client.PrependReactor("delete", "pods", func(ktesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.New("100% broken")
	})
	if err := f.syncPod(t.Context(), "default/web"); err == nil {
		t.Error("no error")
	}
	select {
	case e := <-f.recorder.Events:
		if want := "Warning ExpireFailed Failed to delete pod: 100% broken"; e != want {
			t.Errorf("got %q, want %q", e, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("timeout waiting for the event")
	}
}

// The controller's own broadcaster writes Events.
func TestEventIsWritten(t *testing.T) {
	pod := newPod(withMaxAge("30m"))
	client := fake.NewClientset(pod)
	written := make(chan struct{}, 10)
	client.PrependReactor("create", "events", func(ktesting.Action) (bool, runtime.Object, error) {
		written <- struct{}{}
		return false, nil, nil
	})
	informer := informers.NewSharedInformerFactory(client, 0).Core().V1().Pods()
	c := NewController(t.Context(), client, client, informer)
	c.now = func() time.Time { return begin.Add(time.Hour) }
	if err := c.expire(t.Context(), pod); err != nil {
		t.Fatal(err)
	}
	<-written
}
