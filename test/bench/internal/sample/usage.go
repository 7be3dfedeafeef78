// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package sample

import (
	"syscall"
	"time"
)

// cpu is the user and system time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
