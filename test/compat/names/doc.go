// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package names checks that the SDK's replacements of client-go's event packages export the same
// names, and that each function and method has the same number of arguments and results.
package names
