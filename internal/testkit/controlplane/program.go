// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

const (
	// assetsEnv is the variable of controller-runtime's envtest for the directory with the programs.
	assetsEnv = "KUBEBUILDER_ASSETS"
	// endTimeout is how long a program that is asked to end may take.
	endTimeout = time.Minute
	// tailSize is how much is shown of the log of a program that failed.
	tailSize = 1500
)

// Program returns the path of etcd, kube-apiserver or kubectl. It looks in the directory that KUBEBUILDER_ASSETS names,
// or else for bin/controlplane in the working directory and those above.
func Program(name string) (string, error) {
	dir, err := filepath.Abs(cmp.Or(os.Getenv(assetsEnv), nearest(filepath.Join("bin", "controlplane"))))
	if err != nil {
		return "", fmt.Errorf("controlplane: %w", err)
	}
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return "", fmt.Errorf("controlplane: no %s in %s: run `make controlplane` in the root of the repository, "+
			"or set %s to a directory with etcd, kube-apiserver and kubectl", name, dir, assetsEnv)
	}
	return path, nil
}

// nearest returns the path as seen from the first directory that has it: the working directory, or one above.
func nearest(path string) string {
	dir := "."
	for range 16 { // deeper than any checkout
		if _, err := os.Stat(filepath.Join(dir, path)); err == nil {
			return filepath.Join(dir, path)
		}
		dir = filepath.Join(dir, "..")
	}
	return path
}

// program is a child process that logs to a file. A nil program has ended.
type program struct {
	name    string
	log     string
	command *exec.Cmd
	wait    sync.WaitGroup
	done    chan struct{} // closed when it has ended
	err     error         // set before done is closed
}

// run starts a program in a directory, which also gets its log.
func run(name, dir string, flags ...string) (*program, error) {
	path, err := Program(name)
	if err != nil {
		return nil, err
	}
	p := &program{name: name, log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the child has its own
	p.command = exec.Command(path, flags...)
	p.command.Stdout, p.command.Stderr, p.command.Dir = log, log, dir
	setOwnGroup(p.command)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	p.wait.Go(func() {
		p.err = p.command.Wait()
		close(p.done)
	})
	return p, nil
}

// kill ends the program and returns when it has ended.
func (p *program) kill() {
	if p == nil {
		return
	}
	_ = p.command.Process.Kill() // fails if it has ended
	p.wait.Wait()
}

// end asks the program to end, and returns when it has ended.
func (p *program) end() {
	if err := p.command.Process.Signal(os.Interrupt); err == nil {
		select {
		case <-p.done:
		case <-time.After(endTimeout):
		}
	}
	p.kill()
}

// failure describes how a program ended that should run.
func (p *program) failure() error {
	log, _ := os.ReadFile(p.log)
	log = bytes.TrimSpace(log)
	return fmt.Errorf("%s ended (%w), its log ends with:\n%s", p.name, p.err, log[max(0, len(log)-tailSize):])
}
