// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// stopTimeout is how long a program may take to end before it is killed.
	stopTimeout = 10 * time.Second
	// tailSize is how much of its log is shown of a program that failed.
	tailSize = 1500
)

// program is a child process that logs to a file.
type program struct {
	name    string
	log     string
	command *exec.Cmd
	done    chan struct{} // closed when it ended
	err     error         // how; set before done is closed
}

// startProgram starts a program whose log is in dir.
func startProgram(path, dir string, flags []string) (*program, error) {
	name := filepath.Base(path)
	p := &program{name: name, log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	file, err := os.Create(p.log)
	if err != nil {
		return nil, fmt.Errorf("controlplane: %w", err)
	}
	defer file.Close() // the child has its own
	p.command = exec.Command(path, flags...)
	p.command.Stdout, p.command.Stderr = file, file
	p.command.Dir = dir
	ownGroup(p.command)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("controlplane: starting %s: %w", name, err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.done)
	}()
	return p, nil
}

func (p *program) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// failure says how a program that should run ended, and what it logged last.
func (p *program) failure() error {
	log, _ := os.ReadFile(p.log)
	log = bytes.TrimSpace(log)
	if len(log) > tailSize {
		log = log[len(log)-tailSize:]
	}
	return fmt.Errorf("controlplane: %s ended (%w), its log ends with:\n%s", p.name, p.err, log)
}

// stop ends the program and returns when it is gone.
func (p *program) stop() {
	_ = p.command.Process.Signal(os.Interrupt) // fails if it has ended already
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.command.Process.Kill()
		<-p.done
	}
}
