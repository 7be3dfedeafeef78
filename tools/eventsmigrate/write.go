// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
)

// write writes all files. They keep their modes, and links stay. An error names the files that were written before it,
// because they need the rest.
func (m *migration) write() error {
	var written []string
	for _, file := range m.report.Files {
		if err := os.WriteFile(file.Name, file.After, 0o644); err != nil {
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
