// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package controlplane

import (
	"os/exec"
	"syscall"
)

// setOwnGroup protects a program from an interrupt at the terminal. Stop ends it when all is written.
func setOwnGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
