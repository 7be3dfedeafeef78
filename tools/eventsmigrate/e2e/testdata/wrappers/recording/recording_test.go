// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/pipelines/mocks"
	"example.com/pipelines/recording"
)

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

func TestPrefix(t *testing.T) {
	fake := record.NewFakeRecorder(5)
	recorder := recording.WithPrefix(fake, "50%: ")
	recorder.Event(pod, corev1.EventTypeNormal, "A", "100%")
	recorder.Eventf(pod, corev1.EventTypeNormal, "B", "%d%%", 7)
	assert.Equal(t, "Normal A 50%: 100%", <-fake.Events)
	assert.Equal(t, "Normal B 50%: 7%", <-fake.Events)
}

func TestDedup(t *testing.T) {
	fake := record.NewFakeRecorder(10)
	recorder := recording.Dedup(fake)
	for range 3 {
		recorder.Event(pod, corev1.EventTypeNormal, "A", "same")
		recorder.Eventf(pod, corev1.EventTypeNormal, "A", "%s", "same")
	}
	recorder.AnnotatedEventf(pod, map[string]string{"k": "v"}, corev1.EventTypeNormal, "B", "other")
	require.Len(t, fake.Events, 2)
	assert.Equal(t, "Normal A same", <-fake.Events)
	assert.Equal(t, "Normal B other map[k:v]", <-fake.Events)
}

func TestFanoutAndPool(t *testing.T) {
	first, second := record.NewFakeRecorder(5), record.NewFakeRecorder(5)
	recording.Fanout{first, second}.Event(pod, corev1.EventTypeNormal, "A", "to both")
	recording.Fanout{first, recording.NewLogged(second, klog.Background())}.Eventf(pod, "Normal", "B", "%s", "to both")
	for _, fake := range []*record.FakeRecorder{first, second} {
		assert.Equal(t, "Normal A to both", <-fake.Events)
		assert.Equal(t, "Normal B to both", <-fake.Events)
	}
	recording.NewPool(first).With(func(r record.EventRecorder) { r.Event(pod, "Normal", "C", "pooled") })
	assert.Contains(t, <-first.Events, "pooled")
}

func TestNarrow(t *testing.T) {
	tests := []struct {
		name string
		do   func(r record.EventRecorder)
		want string
	}{
		{"problem", func(r record.EventRecorder) { recording.Problem(r, pod, "P", errors.New("5%")) }, "Warning P 5%"},
		{"progress", func(r record.EventRecorder) { recording.Progress(r, pod, 20) }, "Normal Progress 20% done"},
		{"finished", func(r record.EventRecorder) { recording.Progress(r, pod, 100) }, "Normal Finished 100% done"},
		{"func", func(r record.EventRecorder) { recording.Func(r.Event).Event(pod, "Normal", "F", "f") }, "Normal F f"},
		{"generic", func(r record.EventRecorder) { recording.Record(r, pod, "G", "%d", 1) }, "Normal G 1"},
		{"scoped", func(r record.EventRecorder) { recording.Scope(r, pod).Warningf("S", "%d", 1) }, "Warning S 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fake := record.NewFakeRecorder(1)
			tt.do(fake)
			select {
			case got := <-fake.Events:
				assert.Equal(t, tt.want, got)
			default:
				t.Fatal("no event")
			}
		})
	}
}

func TestContext(t *testing.T) {
	assert.Nil(t, recording.FromContext(t.Context()))
	fake := record.NewFakeRecorder(1)
	recording.MustFromContext(recording.NewContext(t.Context(), fake)).Event(pod, "Normal", "A", "from a context")
	assert.NotEmpty(t, fake.Events)
}

func TestRegistry(t *testing.T) {
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	got := make(chan *corev1.Event, 1)
	broadcaster.StartEventWatcher(func(e *corev1.Event) { got <- e })
	registry := recording.NewRegistry(broadcaster, scheme.Scheme)
	registry.For("a").Eventf(pod, corev1.EventTypeNormal, "A", "%d%%", 1)
	event := <-got
	assert.Equal(t, "1%", event.Message)
	assert.Equal(t, "a", event.Source.Component)
	assert.Len(t, registry.All(), 1)
}

func TestTestifyMock(t *testing.T) {
	m := &mocks.Recorder{}
	m.On("Event", pod, "Normal", "Finished", "100% done").Once()
	m.On("Eventf", pod, corev1.EventTypeNormal, "Progress", "%d%% done", mock.Anything).Once()
	recording.Progress(m, pod, 100)
	recording.Progress(m, pod, 10)
	m.AssertExpectations(t)
	m.AssertCalled(t, "Event", pod, "Normal", "Finished", "100% done")
}

func TestGomock(t *testing.T) {
	m := mocks.NewMockEventRecorder(mocks.NewController(t))
	m.EXPECT().Event(pod, "Normal", "Finished", "100% done")
	m.EXPECT().Eventf(pod, "Normal", "Progress", "%d%% done", 10)
	recording.Progress(m, pod, 100)
	recording.Progress(m, pod, 10)
}
