// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fakescheme

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
)

func newScheme() *runtime.Scheme { return runtime.NewScheme() }

func use(*runtime.Scheme) {}

func TestLocal(t *testing.T) {
	s := newScheme()
	use(s)
	_ = &reconciler{recorder: record.NewFakeRecorder(1)} // want "a Recorder of the SDK's test kit"
}

func TestBeside(t *testing.T) {
	s := newScheme()
	_ = &reconciler{recorder: record.NewFakeRecorder(1), scheme: s} // want "a Recorder of the SDK's test kit"
}

func TestGetter(t *testing.T) {
	r := &reconciler{}
	use(r.Scheme())
	r.recorder = record.NewFakeRecorder(1) // want "a Recorder of the SDK's test kit"
}

func TestClientGo(t *testing.T) {
	use(scheme.Scheme)
	_ = &reconciler{recorder: record.NewFakeRecorder(1)} // want "a Recorder of the SDK's test kit"
}

func TestNone(t *testing.T) {
	recorder := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "fakescheme_test\\.go:41 has no \\*runtime\\.Scheme in scope that knows the custom resources: it stays a FakeRecorder, which blocks its caller when its channel is full"
	if len(recorder.Events) > 0 {
		t.Error("unexpected events")
	}
}

func TestNotRead(t *testing.T) { _ = &reconciler{recorder: record.NewFakeRecorder(1)} } // want "a Recorder of the SDK's test kit"
