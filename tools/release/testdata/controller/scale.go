package controller

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/events"
)

func scale(recorder events.EventRecorder, object runtime.Object) {
	for range 3 {
		recorder.Eventf(object, nil, corev1.EventTypeWarning, "ScaleFailed", "Scale", "no quota for %d", 3)
	}
}
