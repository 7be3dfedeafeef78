// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/eventseries/eventseries/events/eventstest"
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(klog.Background())
	goleak.VerifyTestMain(m)
}

// The shipped manifest lets the operator record.
func TestRBAC(t *testing.T) {
	eventstest.VerifyRBAC(t, os.DirFS("config"), eventstest.BoundTo("greeter-system", "greeter"))
}
