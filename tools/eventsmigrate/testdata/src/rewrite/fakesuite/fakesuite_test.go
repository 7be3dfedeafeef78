// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fakesuite adds its custom resource to client-go's scheme.
package fakesuite

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

type custom struct {
	metav1.TypeMeta
	metav1.ObjectMeta
}

func (c *custom) DeepCopyObject() runtime.Object { return c }

func AddToScheme(*runtime.Scheme) {}

func init() { AddToScheme(scheme.Scheme) }

func TestRead(t *testing.T) {
	recorder := record.NewFakeRecorder(1)                  // want "a Recorder of the SDK's test kit"
	recorder.Event(&custom{}, "Normal", "Created", "made") // want "Event becomes Eventf with action \"Created\""
	if len(recorder.Events) != 1 {                         // want "what the channel had is in the Recorder's Occurrences"
		t.Error("no event")
	}
}
