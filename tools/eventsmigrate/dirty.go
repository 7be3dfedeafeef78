// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// dirty notes changes of others in the working tree, because the edits are written among them. Where there is no git,
// or no repository, there is nothing to note.
func (j *job) dirty(ctx context.Context) {
	if len(j.report.Files) == 0 {
		return
	}
	status := exec.CommandContext(ctx, "git", "status", "--porcelain", "--untracked-files=no")
	status.Dir = j.dir
	status.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0") // so that it writes nothing
	out, err := status.Output()
	if changed := strings.Count(string(out), "\n"); err == nil && changed > 0 {
		j.note("the working tree is not clean: git diff shows changes of %s together with the edits",
			counted(changed, "file"))
	}
}
