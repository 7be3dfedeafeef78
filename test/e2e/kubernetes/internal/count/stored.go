// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/eventview"
)

// Stored is what one Event says.
type Stored struct {
	Subject
	Count                      int
	Action, Related, Annotated bool
	Bytes                      int
}

// OfEvent returns what an Event says.
func OfEvent(event *corev1.Event) Stored {
	view := eventview.FromCoreV1(event)
	return Stored{
		Subject: Subject{
			Component: componentOfReporter(view.Controller),
			Object:    object(event.InvolvedObject.Kind, event.InvolvedObject.Name),
			Reason:    event.Reason,
		},
		Count:     int(view.Count),
		Action:    event.Action != "",
		Related:   event.Related != nil,
		Annotated: len(event.Annotations) > 0,
		Bytes:     event.Size(),
	}
}

// componentOfReporter returns the component that a reporting controller is in, "" for kube-apiserver.
func componentOfReporter(reporter string) string {
	switch reporter {
	case "kubelet":
		return Kubelet
	case "default-scheduler":
		return Scheduler
	case "ipallocator-repair-controller", "portallocator-repair-controller":
		return ""
	}
	return Manager
}
