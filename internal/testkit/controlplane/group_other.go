// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package controlplane

import "os/exec"

// setOwnGroup does nothing where there are no process groups.
func setOwnGroup(*exec.Cmd) {}
