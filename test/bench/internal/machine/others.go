// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Unknown is the load where the system does not tell it.
const Unknown = -1

// tick is the unit of /proc/stat.
const tick = 10 * time.Millisecond

// Others measures how many cores everything else uses, from now until the returned
// function is called. Time that the host of a virtual machine took is part of it.
// Children of this process count as others' until they were waited for.
func Others() (cores func() float64) {
	began, busy, own := time.Now(), busyTime(), ownTime()
	return func() float64 {
		now := busyTime()
		if busy < 0 || now < 0 {
			return Unknown
		}
		return max(0, (now-busy-(ownTime()-own)).Seconds()/time.Since(began).Seconds())
	}
}

// busyTime is what all cores have worked, or -1.
func busyTime() time.Duration {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return -1
	}
	d, err := parseStat(string(text))
	if err != nil {
		return -1
	}
	return d
}

// parseStat adds up the first line: user nice system idle iowait irq softirq steal.
// Guests are part of user and nice.
func parseStat(text string) (busy time.Duration, err error) {
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, fmt.Errorf("machine: no times of the CPU in %q", line)
	}
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		if idle := i == 3 || i == 4; !idle {
			busy += time.Duration(ticks) * tick
		}
	}
	return busy, nil
}
