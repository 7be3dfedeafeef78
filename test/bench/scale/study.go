// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/eventseries/eventseries/test/bench/scale/internal/load"

// study is everything that the page tells.
type study struct {
	Normal, Bad load.Config
	Controls    map[string]*memory // of the model alone, by component
	Runs        []*run
}

// run is what was found out about one contender.
type run struct {
	Name               string
	Normal, Bad        dayResult
	Kubelet, Scheduler memory
	Idle               idle
}

func newStudy(config load.Config, names []string) *study {
	s := &study{Normal: config, Bad: config, Controls: map[string]*memory{"kubelet": {}, "scheduler": {}}}
	s.Bad.Bad = true
	for _, name := range names {
		s.Runs = append(s.Runs, &run{Name: name})
	}
	return s
}

type task struct {
	job    job
	result any
}

// tasks begins with what takes longest.
func (s *study) tasks() []task {
	var all []task
	for _, r := range s.Runs {
		all = append(all, task{job{"day", r.Name, s.Bad}, &r.Bad})
	}
	for _, r := range s.Runs {
		all = append(all, task{job{"day", r.Name, s.Normal}, &r.Normal})
	}
	for kind, control := range s.Controls {
		all = append(all, task{job{kind, "", s.Bad}, control})
	}
	for _, r := range s.Runs {
		all = append(all,
			task{job{"kubelet", r.Name, s.Bad}, &r.Kubelet},
			task{job{"scheduler", r.Name, s.Bad}, &r.Scheduler},
			task{job{"idle", r.Name, s.Normal}, &r.Idle})
	}
	return all
}
