// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/sim"
)

// fleet runs seeds in child processes, one for each core and each with one thread. So a seed runs as it will when it is
// replayed. A panic or an endless loop in the SDK ends a child, whose last seed is known.
type fleet struct {
	last   uint64
	silent time.Duration // how long a seed may take

	mu       sync.Mutex // guards the rest
	next     uint64
	done     int
	failed   int
	total    sim.Coverage
	began    time.Time
	children int
}

// childEnv tells a child which seeds to run.
const childEnv = "SIM_CHILD"

// childJob is the seeds from First, every Stride-th, to Last.
type childJob struct{ First, Stride, Last uint64 }

// childLine is a line of a child's output: that it begins a seed, or the report of one.
type childLine struct {
	Begins uint64
	Report *sim.Report
	Shrunk string
}

func newFleet(first uint64, n int) *fleet {
	return &fleet{
		next: first, last: first + uint64(n) - 1, silent: 5 * time.Minute,
		total: sim.Coverage{}, began: time.Now(), children: runtime.GOMAXPROCS(0),
	}
}

func (f *fleet) run(t *testing.T) sim.Coverage {
	var wait sync.WaitGroup
	for i := range f.children {
		wait.Go(func() {
			job := childJob{First: f.next + uint64(i), Stride: uint64(f.children), Last: f.last}
			for job.First <= job.Last {
				job.First = f.child(t, job) + job.Stride
			}
		})
	}
	ended := make(chan struct{})
	if *progress {
		go f.report(ended)
	}
	wait.Wait()
	close(ended)
	return f.total
}

// child runs a child and returns the last seed that it began.
func (f *fleet) child(t *testing.T, job childJob) (last uint64) {
	text, _ := json.Marshal(job)
	cmd := exec.Command(os.Args[0], "-test.run=^TestSeeds$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", childEnv+"="+string(text))
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Error(err)
		return job.Last
	}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return job.Last
	}
	hangs := time.AfterFunc(f.silent, func() { _ = cmd.Process.Signal(syscall.SIGQUIT) })
	defer hangs.Stop()
	var rest []string
	ended := true
	for lines := bufio.NewReader(out); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var said childLine
		if json.Unmarshal(line, &said) != nil {
			rest = append(rest, string(line))
			continue
		}
		hangs.Reset(f.silent)
		if said.Report == nil {
			last, ended = said.Begins, false
			continue
		}
		ended = true
		f.take(t, said)
	}
	err = cmd.Wait()
	if !ended || last == 0 {
		t.Errorf("seed %d ended the process (%s=%d make sim): %v\n%s%s",
			last, replay, last, err, cut(strings.Join(rest, "")), cut(errors.String()))
	}
	if last == 0 {
		return job.Last
	}
	return last
}

func cut(text string) string { return text[:min(len(text), 10_000)] }

// take adds the report of a seed.
func (f *fleet) take(t *testing.T, said childLine) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done++
	f.total.Add(said.Report.Coverage)
	if !said.Report.Failed() {
		return
	}
	f.failed++
	t.Errorf("seed %d (%s=%d make sim):\n%s\n%s", said.Report.Seed, replay, said.Report.Seed,
		strings.Join(said.Report.Violations, "\n"), said.Shrunk)
}

// report prints the progress every ten seconds.
func (f *fleet) report(ended <-chan struct{}) {
	ticker := time.NewTicker(10 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticker.C:
			fmt.Fprintln(os.Stderr, f)
		}
	}
}

// String returns the progress.
func (f *fleet) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	took := time.Since(f.began)
	return fmt.Sprintf("%d seeds in %v, %.1f a second; %d simulated hours, %d requests, %d occurrences; %d seeds failed",
		f.done, took.Round(time.Second), float64(f.done)/took.Seconds(), f.total["simulated/seconds"]/3600,
		f.total.Of("outcome"), f.total["occurrences/recorded"], f.failed)
}

// jobOfChild returns what this process is to do if it is a child.
func jobOfChild(t *testing.T) (job childJob, ok bool) {
	text, ok := os.LookupEnv(childEnv)
	if ok {
		if err := json.Unmarshal([]byte(text), &job); err != nil {
			t.Fatal(err)
		}
	}
	return job, ok
}

// run runs the seeds of a child. It shrinks the first script that fails.
func (j childJob) run(t *testing.T) {
	say := json.NewEncoder(os.Stdout)
	shrunk := false
	for seed := j.First; seed <= j.Last; seed += j.Stride {
		_ = say.Encode(childLine{Begins: seed})
		script := sim.Generate(seed)
		line := childLine{Report: sim.Run(t, script, nil)}
		if line.Report.Failed() && !shrunk {
			shrunk = true
			line.Shrunk = shrink(t, script, line.Report).String()
		}
		_ = say.Encode(line)
	}
}
