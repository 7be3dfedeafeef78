// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// write writes all files, or none, because they need each other: it begins when all have the text that was edited
// and can be opened, and puts back what it has written if one fails. Files keep their modes, and links stay.
func (j *job) write() error {
	for _, file := range j.report.Files {
		if changed(file) {
			return fmt.Errorf("%s has changed since the run began; nothing is written: run eventsmigrate again", file.Path)
		}
		opened, err := os.OpenFile(file.Name, os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrNotExist) && file.Before == nil {
			continue // a new one
		}
		if err != nil {
			return fmt.Errorf("%w; nothing is written", err)
		}
		if err := opened.Close(); err != nil {
			return fmt.Errorf("%w; nothing is written", err)
		}
	}
	for i, file := range j.report.Files {
		err := os.WriteFile(file.Name, file.After, 0o644)
		if err == nil {
			continue
		}
		if lost := putBack(j.report.Files[:i+1]); len(lost) > 0 {
			return fmt.Errorf("%w; restore what could not be put back: %s", err, strings.Join(lost, " "))
		}
		return fmt.Errorf("%w; all files are as before", err)
	}
	j.report.Wrote()
	return nil
}

// changed reports whether a file has another text now than when it was edited, for example because an editor saved it.
func changed(file report.File) bool {
	info, err := os.Stat(file.Name)
	if err != nil || !info.Mode().IsRegular() {
		return false // opening it for writing tells what is wrong
	}
	text, err := os.ReadFile(file.Name)
	return err == nil && !bytes.Equal(text, file.Before)
}

// putBack gives files their texts from before the run. It returns the paths of those that it cannot write.
func putBack(files []report.File) (lost []string) {
	for _, file := range files {
		var err error
		if file.Before == nil {
			err = os.Remove(file.Name)
		} else {
			err = os.WriteFile(file.Name, file.Before, 0o644)
		}
		if err != nil {
			lost = append(lost, file.Path)
		}
	}
	return lost
}
