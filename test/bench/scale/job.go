// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eventseries/eventseries/test/bench/internal/world"
	"github.com/eventseries/eventseries/test/bench/scale/internal/load"
)

// job is what one child process does.
type job struct {
	Kind      string // a key of jobs
	Contender string // by name; none for a control
	Config    load.Config
}

// kinds are what a child can do, in a bubble. What it returns is sent as JSON.
var kinds = map[string]func(j job, say sayer) any{
	"day":       func(j job, say sayer) any { return simulateDay(contenderOf(j.Contender), j.Config, say) },
	"kubelet":   func(j job, say sayer) any { return measureMemory(j, say) },
	"scheduler": func(j job, say sayer) any { return measureMemory(j, say) },
	"idle":      func(j job, say sayer) any { return measureIdle(j) },
}

// sayer tells of the progress, a line at a time.
type sayer func(format string, args ...any)

var contenders = []world.Contender{world.ToolsEvents, world.ToolsRecord, world.SDK}

func contenderOf(name string) world.Contender {
	for _, c := range contenders {
		if c.Name == name {
			return c
		}
	}
	panic(fmt.Sprintf("no contender %q", name))
}

func (j job) String() string {
	day := "normal day"
	if j.Config.Bad {
		day = "bad day"
	}
	who := j.Contender
	if who == "" {
		who = "the model alone"
	}
	return fmt.Sprintf("%s, %s, %s", j.Kind, day, who)
}

// work is the child: it reads a job and writes what came of it.
func work(in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%v: %s\n", j, fmt.Sprintf(format, args...))
	}
	var result any
	world.Simulate(func() { result = kinds[j.Kind](j, say) })
	return json.NewEncoder(out).Encode(result)
}

// spawn does the job in a process of its own, so that neither its garbage nor its goroutines are anybody else's.
func (j job) spawn() (json.RawMessage, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	child := exec.Command(os.Args[0], "-child")
	child.Stdin, child.Stderr = bytes.NewReader(text), os.Stderr
	out, err := child.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", j, err)
	}
	fmt.Fprintf(os.Stderr, "%v: done in %v\n", j, time.Since(began).Round(time.Second))
	return out, nil
}

// atATime is how many children run together: a bubble is mostly one goroutine after the other.
const atATime = 2

// collect has every job done whose result is not kept.
func (s *study) collect(a *archive) error {
	tasks, done := s.tasks(), 0
	var group errgroup.Group
	group.SetLimit(atATime)
	for _, t := range tasks {
		out, err := a.find(t.job)
		if err != nil {
			return err
		}
		if out != nil {
			done++
			if err := json.Unmarshal(out, t.result); err != nil {
				return fmt.Errorf("%v: %w", t.job, err)
			}
			continue
		}
		if a.any {
			return fmt.Errorf("not simulated yet: %v", t.job)
		}
		group.Go(func() error { return t.do(a) })
	}
	fmt.Fprintf(os.Stderr, "%d jobs: %d kept of this code, %d to do\n", len(tasks), done, len(tasks)-done)
	return group.Wait()
}

// do spawns a task's job and keeps the result.
func (t *task) do(a *archive) error {
	out, err := t.job.spawn()
	if err != nil {
		return err
	}
	if err := a.put(t.job, out); err != nil {
		return err
	}
	return json.Unmarshal(out, t.result)
}
