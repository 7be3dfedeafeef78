// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"io"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	klog.LogToStderr(false) // client-go says when its rate limit makes a request wait
	klog.SetOutput(io.Discard)
	goleak.VerifyTestMain(m)
}
