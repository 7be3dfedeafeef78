// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fakekept_test

import (
	"testing"

	"k8s.io/client-go/tools/record"
)

func TestOutside(t *testing.T) {
	recorder := record.NewFakeRecorder(1) // want "the FakeRecorder of the events API" "outside_test\\.go:14 waits for what another goroutine may record: it stays a FakeRecorder, which blocks its caller when its channel is full"
	if <-recorder.Events != "Normal Created made" {
		t.Error("something else")
	}
}
