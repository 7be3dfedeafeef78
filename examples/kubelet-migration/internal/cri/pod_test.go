// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import "testing"

func TestLatestIsTheYoungestOfItsName(t *testing.T) {
	status := &PodStatus{Containers: []ContainerStatus{
		{Container: Container{ID: "a/0", Name: "a"}},
		{Container: Container{ID: "a/1", Name: "a"}},
		{Container: Container{ID: "b/0", Name: "b"}},
	}}
	if got := status.Latest("a"); got == nil || got.ID != "a/1" {
		t.Errorf("Latest(a) = %v, want a/1", got)
	}
	if got := status.Latest("c"); got != nil {
		t.Errorf("Latest(c) = %v, want nil", got)
	}
}

func TestFindOnNoPod(t *testing.T) {
	if got := (*Pod)(nil).Find("a/0"); got != nil {
		t.Errorf("Find on a nil pod = %v, want nil", got)
	}
}
