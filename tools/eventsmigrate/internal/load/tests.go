// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "strings"

// IsTest reports whether only tests have the file of a name.
func IsTest(name string) bool { return strings.HasSuffix(name, "_test.go") }
