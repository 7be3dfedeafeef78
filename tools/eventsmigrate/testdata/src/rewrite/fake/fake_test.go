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
	*record.FakeRecorder                        // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	all                  []*record.FakeRecorder // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	events               chan string
}

func generic[T any](value T) T { return value }

func TestReads(t *testing.T) {
	recorder := record.NewFakeRecorder(10) // want "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"
	recorder.IncludeObject = true
	r := &reconciler{recorder}
	r.reconcile(&corev1.Pod{})
	recorder.AnnotatedEventf(&corev1.Pod{}, map[string]string{"a": "b"}, "Normal", "Created", "made") // want "AnnotatedEventf becomes Eventf with action \"Created\""
	if <-recorder.Events != "Normal Created made" || len(recorder.Events) != 1 {
		t.Error("something else")
	}
	close(recorder.Events)
}

func TestLiterals(t *testing.T) {
	r := &reconciler{recorder: &record.FakeRecorder{}}                                   // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	r.recorder = &record.FakeRecorder{Events: make(chan string, 1), IncludeObject: true} // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	r.recorder = new(record.FakeRecorder)                                                // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	var zero record.FakeRecorder                                                         // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
	r.recorder = &zero
	s := suite{FakeRecorder: record.NewFakeRecorder(1), all: []*record.FakeRecorder{{}, generic(record.NewFakeRecorder(2))}} // want "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder" "record\\.FakeRecorder becomes eventstest\\.FakeRecorder" "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"
	s.events = s.FakeRecorder.Events
	r.recorder = s.all[0]
	_ = Driver{Fake: s.FakeRecorder}
	r.recorder.(*record.FakeRecorder).Events = nil // want "record\\.FakeRecorder becomes eventstest\\.FakeRecorder"
}

func TestHandedOver(t *testing.T) {
	recorder := record.NewFakeRecorder(1) // want "record\\.NewFakeRecorder becomes eventstest\\.NewFakeRecorder"
	thirdparty.Run(nil, recorder)         // want "thirdparty\\.Run stays with the old API and gets legacy\\.AsLegacy"
	old := record.NewFakeRecorder(1)      // want "thirdparty\\.Fake wants \\*record\\.FakeRecorder, so this one stays old"
	thirdparty.Fake(old)
	_ = &reconciler{old}                       // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	thirdparty.Fake(record.NewFakeRecorder(2)) // want "thirdparty\\.Fake wants \\*record\\.FakeRecorder, so this one stays old"
	literal := &record.FakeRecorder{}          // want "thirdparty\\.Fake wants \\*record\\.FakeRecorder, so this one stays old"
	thirdparty.Fake(literal)
}
