// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package controlplane

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps an interrupt at the terminal from the program: we stop it
// ourselves, after having written what there is to write.
func ownGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
