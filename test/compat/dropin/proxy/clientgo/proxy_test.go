// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"k8s.io/client-go/tools/events"
)

// The fake keeps a unit test as it was.
func TestRun(t *testing.T) {
	fake := events.NewFakeRecorder(4)
	server := &Server{Recorder: fake, NodeRef: &corev1.ObjectReference{Kind: "Node", Name: "node-1"}}
	server.Run()
	want := []string{
		"Normal Starting ",
		"Warning FailedToStartProxierHealthcheck listen tcp 0.0.0.0:10256: bind: address already in use",
		"Warning FailedToStartProxierHealthcheck listen tcp 0.0.0.0:10256: bind: address already in use",
		"Warning KubeProxyReceivedStaleEndpoints 2 endpoints of web are gone",
	}
	for _, event := range want {
		if got := <-fake.Events; got != event {
			t.Errorf("recorded %q, want %q", got, event)
		}
	}
}
