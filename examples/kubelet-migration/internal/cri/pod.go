// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// State is what a container is doing.
type State string

// The states of a container, in the order in which it goes through them.
const (
	Created State = "Created"
	Running State = "Running"
	Exited  State = "Exited"
	Unknown State = "Unknown" // the runtime lost track of it
)

// Container is a container as a listing shows it.
type Container struct {
	ID    string
	Name  string // in the pod's spec
	State State
}

// Pod is a pod as a listing shows it: which containers there are, oldest
// first, at one moment. A pod without containers is one that is going away.
type Pod struct {
	UID        types.UID
	Name       string
	Containers []Container
	At         time.Time
}

// Find returns the container with the given ID, or nil. A nil pod has none.
func (p *Pod) Find(id string) *Container {
	if p == nil {
		return nil
	}
	for i := range p.Containers {
		if p.Containers[i].ID == id {
			return &p.Containers[i]
		}
	}
	return nil
}

// ContainerStatus is a container as an inspection shows it.
type ContainerStatus struct {
	Container
	Image      string
	StartedAt  time.Time // zero before it ran
	FinishedAt time.Time // zero before it exited
	ExitCode   int
}

// PodStatus is a pod as an inspection shows it, containers oldest first.
type PodStatus struct {
	UID        types.UID
	Containers []ContainerStatus
	At         time.Time
}

// Latest returns the youngest container with the given name, or nil.
func (s *PodStatus) Latest(name string) *ContainerStatus {
	for i := len(s.Containers) - 1; i >= 0; i-- {
		if s.Containers[i].Name == name {
			return &s.Containers[i]
		}
	}
	return nil
}
