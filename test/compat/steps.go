// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// steps runs the commands of a row, and says how far it is.
type steps struct {
	row string
	out io.Writer

	mu sync.Mutex // guards out
}

// beat is how often a command that runs is said to.
const beat = 30 * time.Second

func (s *steps) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, "%s: %s\n", s.row, fmt.Sprintf(format, args...))
}

// run runs a command, and shows what it printed if it fails.
func (s *steps) run(what string, cmd *exec.Cmd) error {
	var printed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &printed
	took, err := s.time(what, cmd)
	if err != nil {
		fmt.Fprint(s.out, printed.String())
		return fmt.Errorf("%s: %w", what, err)
	}
	s.say("%s: ok, %s", what, took)
	return nil
}

// test runs go test -json and adds what came of it to res. Tests that fail are no error.
func (s *steps) test(res *result, what string, cmd *exec.Cmd) error {
	t := newTally(what)
	var diagnosis bytes.Buffer
	cmd.Stdout, cmd.Stderr = t, &diagnosis
	took, err := s.time(what, cmd)
	if err != nil && t.suite.Failed == 0 {
		return fmt.Errorf("%s: %w\n%s", what, err, diagnosis.String())
	}
	fmt.Fprint(s.out, t.failures.String())
	res.add(t.suite)
	s.say("%s: %s, %s", what, t.suite, took)
	return nil
}

// time runs a command and says from time to time that it still runs.
func (s *steps) time(what string, cmd *exec.Cmd) (time.Duration, error) {
	s.say("%s ...", what)
	began := time.Now()
	took := func() time.Duration { return time.Since(began).Round(time.Second) }
	done := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				s.say("%s, %s so far", what, took())
			}
		}
	})
	err := cmd.Run()
	close(done)
	beats.Wait()
	return took(), err
}

// noteNewer says when there is a newer patch of client-go than the one that the row has. Without a network it says
// so.
func (s *steps) noteNewer(ctx context.Context, m module, version, minor string) {
	newest, err := m.output(ctx, "list", "-mod=mod", "-m", "-f", "{{.Version}}", "k8s.io/client-go@v"+minor)
	switch {
	case err != nil:
		s.say("cannot tell whether client-go %s is the newest %s: no module proxy answers", version, minor)
	case newest != version:
		s.say("client-go %s is out, this row has %s: run make compat-update", newest, version)
	}
}
