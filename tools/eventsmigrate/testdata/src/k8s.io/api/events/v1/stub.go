// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package v1 is a stub for the analyzers' tests.
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Event struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Type, Reason, Action, Note string
}
