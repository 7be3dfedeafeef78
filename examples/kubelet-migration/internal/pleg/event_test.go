// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pleg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// podWith is a pod with one container in the given state, nil for "".
func podWith(state cri.State) *cri.Pod {
	if state == "" {
		return nil
	}
	return &cri.Pod{UID: "p", Containers: []cri.Container{{ID: "c", Name: "main", State: state}}}
}

func TestDiffOfOneContainer(t *testing.T) {
	const gone = cri.State("")
	for _, test := range []struct {
		old, current cri.State
		want         []EventType
	}{
		{gone, gone, nil},
		{gone, cri.Created, []EventType{ContainerChanged}},
		{gone, cri.Running, []EventType{ContainerStarted}},
		{gone, cri.Exited, []EventType{ContainerDied}},
		{gone, cri.Unknown, []EventType{ContainerChanged}},
		{cri.Created, cri.Running, []EventType{ContainerStarted}},
		{cri.Created, cri.Unknown, nil},
		{cri.Running, cri.Running, nil},
		{cri.Running, cri.Exited, []EventType{ContainerDied}},
		{cri.Running, cri.Unknown, []EventType{ContainerChanged}},
		{cri.Running, gone, []EventType{ContainerDied, ContainerRemoved}},
		{cri.Unknown, gone, []EventType{ContainerDied, ContainerRemoved}},
		{cri.Exited, gone, []EventType{ContainerRemoved}},
		{cri.Exited, cri.Exited, nil},
	} {
		t.Run(string(test.old)+"→"+string(test.current), func(t *testing.T) {
			var want []Event
			for _, eventType := range test.want {
				want = append(want, Event{UID: "p", Type: eventType, ContainerID: "c"})
			}
			if diff := cmp.Diff(want, diff("p", podWith(test.old), podWith(test.current))); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffKeepsContainersApart(t *testing.T) {
	old := &cri.Pod{Containers: []cri.Container{{ID: "0", State: cri.Exited}, {ID: "1", State: cri.Running}}}
	current := &cri.Pod{Containers: []cri.Container{{ID: "1", State: cri.Exited}, {ID: "2", State: cri.Running}}}
	want := []Event{
		{UID: "p", Type: ContainerRemoved, ContainerID: "0"},
		{UID: "p", Type: ContainerDied, ContainerID: "1"},
		{UID: "p", Type: ContainerStarted, ContainerID: "2"},
	}
	if diff := cmp.Diff(want, diff("p", old, current)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
