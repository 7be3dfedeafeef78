// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package count

import (
	"cmp"
	"regexp"

	corev1 "k8s.io/api/core/v1"
)

// Stored is what one Event says.
type Stored struct {
	Component, Reason string
	// Object is the kind and the name without what is different in every run.
	Object          string
	Count           int
	Action, Related bool
	Bytes           int
}

// random are the parts of names that controllers make up: a ReplicaSet's hash, a pod's suffix, a CronJob's time. Their
// alphabet has no vowels.
var random = regexp.MustCompile(`(-[0-9]{8,}|-[bcdfghj-np-tvwxz24-9]{6,10})?(-[bcdfghj-np-tvwxz24-9]{5})?$`)

// OfEvent returns what an Event says.
func OfEvent(event *corev1.Event) Stored {
	object := event.InvolvedObject
	count := cmp.Or(int(event.Count), 1)
	if event.Series != nil {
		count = int(event.Series.Count)
	}
	return Stored{
		Component: componentOfReporter(cmp.Or(event.ReportingController, event.Source.Component)),
		Reason:    event.Reason,
		Object:    object.Kind + " " + random.ReplaceAllString(object.Name, ""),
		Count:     count,
		Action:    event.Action != "",
		Related:   event.Related != nil,
		Bytes:     event.Size(),
	}
}

// componentOfReporter returns the process that a reporting controller runs in.
func componentOfReporter(reporter string) string {
	switch reporter {
	case "kubelet":
		return Kubelet
	case "default-scheduler":
		return Scheduler
	}
	return Manager
}
