// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

// TB has the methods of a test that this package calls. testing.TB implements it. So does the
// TContext of k8s.io/ktesting, which up to Kubernetes 1.37 is test/utils/ktesting of
// k8s.io/kubernetes. A TContext is no testing.TB, because that interface has an unexported method.
type TB interface {
	Cleanup(f func())
	Errorf(format string, args ...any)
	Helper()
	Log(args ...any)
	Logf(format string, args ...any)
}
