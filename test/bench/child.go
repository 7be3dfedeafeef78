// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"

	"github.com/eventseries/eventseries/test/bench/internal/sample"
)

// child takes one sample and prints its line.
func child(o *options) error {
	name, who, ok := strings.Cut(o.sample, " by ")
	if !ok {
		return fmt.Errorf("-sample %q, want \"scenario by contender\"", o.sample)
	}
	scenario, err := sample.Find(name)
	if err != nil {
		return err
	}
	if o.memProfile != "" {
		runtime.MemProfileRate = 512
	}
	if o.cpuProfile != "" {
		f, err := os.Create(o.cpuProfile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	s, err := scenario.Take(who, o.bench.scale)
	if err != nil {
		return err
	}
	if o.memProfile != "" {
		if err := writeAllocations(o.memProfile); err != nil {
			return err
		}
	}
	_, err = s.WriteTo(os.Stdout)
	return err
}

func writeAllocations(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return pprof.Lookup("allocs").WriteTo(f, 0)
}
