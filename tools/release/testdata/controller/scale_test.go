package controller

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

func TestScale(t *testing.T) {
	recorder := eventstest.NewRecorder(t)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	scale(recorder, pod)

	want := eventstest.Want{Type: "Warning", Reason: "ScaleFailed", Regarding: pod, Count: 3}
	if err := recorder.Check(want); err != nil {
		t.Error(err)
	}
}
