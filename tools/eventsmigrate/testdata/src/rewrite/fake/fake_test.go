// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"testing"
	"thirdparty"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type suite struct {
	*record.FakeRecorder
	all    []*record.FakeRecorder
	events chan string
}

func generic[T any](value T) T { return value }

func TestReads(t *testing.T) {
	recorder := record.NewFakeRecorder(10)
	recorder.IncludeObject = true
	r := &reconciler{recorder}
	r.reconcile(&corev1.Pod{})
	recorder.AnnotatedEventf(&corev1.Pod{}, map[string]string{"a": "b"}, "Normal", "Created", "made")
	if <-recorder.Events != "Normal Created made" || len(recorder.Events) != 1 {
		t.Error("something else")
	}
	close(recorder.Events)
}

func TestLiterals(t *testing.T) {
	r := &reconciler{recorder: &record.FakeRecorder{}}
	r.recorder = &record.FakeRecorder{Events: make(chan string, 1), IncludeObject: true}
	r.recorder = new(record.FakeRecorder)
	var zero record.FakeRecorder
	r.recorder = &zero
	s := suite{FakeRecorder: record.NewFakeRecorder(1), all: []*record.FakeRecorder{{}, generic(record.NewFakeRecorder(2))}}
	s.events = s.FakeRecorder.Events
	r.recorder = s.all[0]
	_ = Driver{Fake: s.FakeRecorder}
	r.recorder.(*record.FakeRecorder).Events = nil
}

func TestHandedOver(t *testing.T) {
	recorder := record.NewFakeRecorder(1)
	thirdparty.Run(nil, recorder)
	old := record.NewFakeRecorder(1)
	thirdparty.Fake(old)
	_ = &reconciler{old}
	thirdparty.Fake(record.NewFakeRecorder(2))
	literal := &record.FakeRecorder{}
	thirdparty.Fake(literal)
}
