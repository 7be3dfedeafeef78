// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package machine

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is what a figure depends on beside the code.
type Machine struct {
	CPU, System, Go string
	Cores           int
}

// This returns the machine that the program runs on.
func This() Machine {
	return Machine{
		CPU: processor(), Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
	}
}

// String describes the machine in a sentence's middle.
func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, %s", m.CPU, m.Cores, m.System, m.Go)
}

// processor is the model, where the system tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	_, after, _ := strings.Cut(string(text), "model name")
	model, _, _ := strings.Cut(strings.TrimLeft(after, "\t :"), "\n")
	return model
}

// Code is which code was measured.
type Code struct {
	Build  string // of the program: the same code, modules and compiler make the same
	Commit string // that the working tree was at
	Client string // the version of client-go
}

// ThisCode returns the code of the program that runs.
func ThisCode() (Code, error) {
	path, err := os.Executable()
	if err != nil {
		return Code{}, err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return Code{}, err
	}
	c := Code{Build: fmt.Sprintf("%.6x", sha256.Sum256(program)), Commit: "unknown"}
	if out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output(); err == nil {
		c.Commit = strings.TrimSpace(string(out))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "k8s.io/client-go" {
				c.Client = module.Version
			}
		}
	}
	return c, nil
}
