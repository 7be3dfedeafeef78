// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package heap measures the memory of the process in tests.
package heap

import "runtime"

// Live returns the number of bytes of reachable memory. It runs the garbage collector twice,
// because a sync.Pool keeps its objects during the first collection.
func Live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
