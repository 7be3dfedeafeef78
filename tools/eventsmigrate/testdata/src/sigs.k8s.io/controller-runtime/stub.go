// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controllerruntime is a stub for the analyzers' tests.
package controllerruntime

import (
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type (
	Manager = manager.Manager
)

var NewManager = manager.New
