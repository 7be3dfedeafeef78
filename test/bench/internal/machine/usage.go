// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package machine

import (
	"syscall"
	"time"
)

// ownTime is what this process and its children have used.
func ownTime() (all time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(err) // the arguments are constants
		}
		all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return all
}
