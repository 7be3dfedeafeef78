// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// EventType is what happened to a pod.
type EventType string

// The types of an [Event].
const (
	// ContainerStarted: the container runs now.
	ContainerStarted EventType = "ContainerStarted"
	// ContainerDied: the container does not run any more.
	ContainerDied EventType = "ContainerDied"
	// ContainerRemoved: the runtime does not know the container any more. Its
	// ContainerDied was sent before.
	ContainerRemoved EventType = "ContainerRemoved"
	// ContainerChanged: the container is in a state that says neither that it
	// runs nor that it is over, such as created.
	ContainerChanged EventType = "ContainerChanged"
	// PodSync: the pod should be looked at, without a change to point to.
	PodSync EventType = "PodSync"
)

// Event says that a pod should be looked at, and why.
type Event struct {
	UID         types.UID
	Type        EventType
	ContainerID string // empty for PodSync
}

// diff compares what was last reported of a pod with what is there now. Either
// may be nil, which is a pod without containers.
func diff(uid types.UID, old, current *cri.Pod) []Event {
	var out []Event
	seen := map[string]bool{}
	for _, pod := range []*cri.Pod{old, current} {
		if pod == nil {
			continue
		}
		for _, c := range pod.Containers {
			if seen[c.ID] {
				continue
			}
			seen[c.ID] = true
			for _, t := range transition(old.Find(c.ID), current.Find(c.ID)) {
				out = append(out, Event{UID: uid, Type: t, ContainerID: c.ID})
			}
		}
	}
	return out
}

// transition names the step from one state of a container to another; nil is a
// container that is not there.
func transition(old, current *cri.Container) []EventType {
	switch before, after := phase(old), phase(current); {
	case before == after:
		return nil
	case after != "":
		return []EventType{after}
	case before == ContainerDied:
		return []EventType{ContainerRemoved}
	default:
		// It was never seen to exit.
		return []EventType{ContainerDied, ContainerRemoved}
	}
}

// phase is the event that reports the state of a container, "" if it is gone.
func phase(c *cri.Container) EventType {
	switch {
	case c == nil:
		return ""
	case c.State == cri.Running:
		return ContainerStarted
	case c.State == cri.Exited:
		return ContainerDied
	default:
		return ContainerChanged
	}
}
