// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestSourceFallsBackToTheController(t *testing.T) {
	old := corev1.Event{Source: corev1.EventSource{Component: "kubelet"}, ReportingController: "controller"}
	if got := selectableFields(coreGV, &old)["source"]; got != "kubelet" {
		t.Errorf("source %q, want the component", got)
	}
	old.Source.Component = ""
	if got := selectableFields(coreGV, &old)["source"]; got != "controller" {
		t.Errorf("source %q, want the controller", got)
	}
}
