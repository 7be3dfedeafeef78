// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controlplane

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// program is one of the programs that envtest runs. Envtest tells nobody the
// process id, so what it runs is a script that writes it down and becomes the
// program.
type program struct {
	path    string // of the script
	pidFile string
}

func newProgram(dir, name string) (*program, error) {
	binary, err := Program(name)
	if err != nil {
		return nil, err
	}
	p := &program{path: filepath.Join(dir, name), pidFile: filepath.Join(dir, name+".pid")}
	script := fmt.Sprintf("#!/bin/sh\necho $$ >'%s'\nexec '%s' \"$@\"\n", p.pidFile, binary)
	return p, os.WriteFile(p.path, []byte(script), 0o700)
}

// signal sends sig to the program's last process.
func (p *program) signal(sig syscall.Signal) error {
	text, err := os.ReadFile(p.pidFile)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil {
		return fmt.Errorf("%s: %w", p.pidFile, err)
	}
	return syscall.Kill(pid, sig)
}

// kill ends the program as kill -9 does, and returns when it is gone.
func (p *program) kill() error {
	if err := p.signal(syscall.SIGKILL); err != nil {
		return err
	}
	// Envtest waits for the process and lets nobody else do so.
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if errors.Is(p.signal(syscall.Signal(0)), syscall.ESRCH) {
			return nil
		}
	}
	return errors.New("it does not die")
}
