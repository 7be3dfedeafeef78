// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

// constructors rewrites broadcasters that a component makes by hand.
func (f *file) constructors() {}
