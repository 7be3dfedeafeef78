// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package heap measures memory in tests.
package heap

import "runtime"

// Live returns how many bytes are reachable. It collects twice, because the first collection leaves
// what sync.Pools have.
func Live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
