// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import "fmt"

// Sprintf is fmt.Sprintf that never panics. Package fmt contains the panic of an
// argument, but not that of a panic's own Error or String method; then the format
// is returned, and why it could not be filled in.
//
// What fmt does not survive, nothing can contain: a map or slice that contains
// itself, or a String method that formats its receiver, exhausts the stack.
func Sprintf(format string, args ...any) (text string) {
	defer func() {
		if cause := recover(); cause != nil {
			text = fmt.Sprintf("%s %%!(PANIC=%s)", format, Recovered(cause).text())
		}
	}()
	return fmt.Sprintf(format, args...)
}
