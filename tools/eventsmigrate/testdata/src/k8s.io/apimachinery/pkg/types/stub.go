// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package types is a stub for the analyzers' tests.
package types

type UID string

type NamespacedName struct{ Namespace, Name string }

func (n NamespacedName) String() string { return n.Namespace + "/" + n.Name }
