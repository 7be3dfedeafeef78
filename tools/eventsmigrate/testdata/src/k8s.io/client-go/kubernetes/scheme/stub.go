// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package scheme is a stub for the analyzers' tests.
package scheme

import "k8s.io/apimachinery/pkg/runtime"

var Scheme = runtime.NewScheme()

var AddToScheme = func(scheme *runtime.Scheme) error { return nil }
