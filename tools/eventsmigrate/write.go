// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// write writes all files. An error names the files that were written before it, because they need the rest.
func (m *migration) write() error {
	var written []string
	for _, file := range m.report.Files {
		if err := replace(file); err != nil {
			if len(written) == 0 {
				return fmt.Errorf("%w; nothing was written", err)
			}
			return fmt.Errorf("%w; written before it, and not compiling without the rest: %s",
				err, strings.Join(written, " "))
		}
		written = append(written, file.Path)
	}
	m.report.Written = true
	return nil
}

// replace replaces a file in one step, so that it is never half written.
func replace(file report.File) error {
	mode := os.FileMode(0o644)
	name := file.Name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		name = resolved
	}
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	temporary, err := os.CreateTemp(filepath.Dir(name), ".eventsmigrate-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails after the rename
	if _, err := temporary.Write(file.After); err != nil {
		temporary.Close()
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	if err := os.Chmod(temporary.Name(), mode); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), name)
}
