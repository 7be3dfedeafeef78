// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
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
			return fmt.Errorf("%w; written before it: %s", err, cmp.Or(strings.Join(written, " "), "nothing"))
		}
		written = append(written, file.Path)
	}
	m.report.Written = true
	return nil
}
