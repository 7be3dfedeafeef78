package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type controller struct{ recorder record.EventRecorder }

func (c *controller) scale(pod *corev1.Pod) {
	c.recorder.Eventf(pod, corev1.EventTypeNormal, "Scaled", "scaled %s", pod.Name)
}

func main() {
	c := &controller{recorder: record.NewFakeRecorder(1)}
	c.scale(&corev1.Pod{})
}
