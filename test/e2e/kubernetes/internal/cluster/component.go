// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	// maxStarts is how often a component is started before the run is given up.
	maxStarts = 6
	// pause is how long a component that ended stays away.
	pause = time.Second
	// endTimeout is how long a component may take to end.
	endTimeout = 40 * time.Second
)

// Usage is what a component needed.
type Usage struct {
	CPU    time.Duration
	MaxRSS int64 // bytes
	Starts int
}

// component is a process that is started again when it ends, as a node does it with static pods.
type component struct {
	name  string
	args  []string // with the program
	log   string
	pause time.Duration // before it is started again
	done  chan struct{} // closed when it has ended for good

	mu     sync.Mutex // guards the rest
	ending bool
	cmd    *exec.Cmd
	usage  Usage
	err    error
}

// run starts a component. Its output is added to its log.
func run(name, dir string, args ...string) (*component, error) {
	c := &component{name: name, args: args, log: filepath.Join(dir, name+".log"), pause: pause}
	return c, c.run()
}

// run starts the process and keeps it running.
func (c *component) run() error {
	c.done = make(chan struct{})
	if err := c.start(); err != nil {
		close(c.done)
		return err
	}
	go c.keep()
	return nil
}

func (c *component) start() error {
	log, err := os.OpenFile(c.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the process has its own
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return errors.New("ending")
	}
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, filepath.Dir(c.log)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is not for it
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", c.name, err)
	}
	c.cmd = cmd
	c.usage.Starts++
	return nil
}

// keep waits for the process, and starts it again until it is to end.
func (c *component) keep() {
	defer close(c.done)
	for {
		err := c.cmd.Wait()
		c.account()
		c.mu.Lock()
		ending, starts := c.ending, c.usage.Starts
		c.mu.Unlock()
		if ending {
			return
		}
		if starts >= maxStarts {
			c.fail(fmt.Errorf("%s ended %d times (%w), see %s", c.name, starts, err, c.log))
			return
		}
		time.Sleep(c.pause)
		if c.start() != nil {
			return
		}
	}
}

func (c *component) account() {
	c.mu.Lock()
	defer c.mu.Unlock()
	state := c.cmd.ProcessState
	c.usage.CPU += state.UserTime() + state.SystemTime()
	if rusage, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.usage.MaxRSS = max(c.usage.MaxRSS, rusage.Maxrss<<10)
	}
}

func (c *component) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
}

func (c *component) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *component) signal(signal os.Signal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cmd.Process.Signal(signal)
}

// end asks the process to end and returns when it has ended. It is an error if that takes too long.
func (c *component) end() error {
	c.mu.Lock()
	c.ending = true
	_ = c.cmd.Process.Signal(syscall.SIGTERM) // fails if it has ended
	c.mu.Unlock()
	select {
	case <-c.done:
		return c.failure()
	case <-time.After(endTimeout):
		_ = c.signal(os.Kill)
		<-c.done
		return fmt.Errorf("%s did not end within %v of a SIGTERM, see %s", c.name, endTimeout, c.log)
	}
}
