// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	"testing"

	"k8s.io/client-go/tools/events"
)

func TestNothingIsReported(t *testing.T) {
	events.NewFakeRecorder(1).Eventf(nil, nil, "Normal", "Scaled", "", "done")
}
