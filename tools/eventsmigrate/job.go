// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// job is one run of a command: what it reports, and the files that it edits.
type job struct {
	options  *options
	stdin    io.Reader
	dir      string                 // the working directory
	outside  func(name string) bool // reports whether a file is in no repository of the project
	progress *report.Progress
	report   *report.Report
}

func newJob(o *options, stdin io.Reader, stderr io.Writer) (*job, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &job{
		options:  o,
		stdin:    stdin,
		dir:      dir,
		outside:  func(string) bool { return false },
		progress: report.NewProgress(stderr),
		report:   &report.Report{Target: o.target},
	}, nil
}

// finish shows the edits as a diff or writes them, if the options say so and the report does not refuse it.
func (j *job) finish(ctx context.Context) error {
	j.dirty(ctx)
	switch {
	case j.options.diff:
		j.report.Diff = j.report.Unified()
	case j.options.fix && (j.options.force || !j.report.Refused):
		return j.write()
	}
	return nil
}

// finished adds to a verdict that nothing is to do, unless something is.
func (j *job) finished(verdict string) string {
	if j.report.Left() {
		return verdict
	}
	return verdict + nothingToDo
}

// nothingToDo ends a verdict if nothing is left.
const nothingToDo = ": nothing to do"

// place adds a place, unless it is there from another build.
func (j *job) place(place report.Place) {
	place.File = j.relative(place.File)
	if !slices.Contains(j.report.Places, place) {
		j.report.Places = append(j.report.Places, place)
	}
}

// rewrites reports whether the run rewrites places of a category.
func (j *job) rewrites(category string) bool {
	return slices.ContainsFunc(j.report.Places, func(place report.Place) bool {
		return place.Rule == category && place.Status == report.Rewritten
	})
}

// rbac adds a place about a role.
func (j *job) rbac(status report.Status, name string, line int, format string, args ...any) {
	j.report.Manifests = append(j.report.Manifests, report.Place{
		Rule: report.RBAC, Status: status, File: j.relative(name), Line: line, Message: fmt.Sprintf(format, args...),
	})
}

func (j *job) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(j.report.Notes, note) {
		j.report.Notes = append(j.report.Notes, note)
	}
}

// file adds a file, unless nothing changes in it.
func (j *job) file(file report.File) {
	if bytes.Equal(file.Before, file.After) {
		return
	}
	file.Path = filepath.ToSlash(j.relative(file.Name))
	j.report.Files = append(j.report.Files, file)
}

// edited is the file as it will be written, or nil.
func (j *job) edited(name string) *report.File {
	i := slices.IndexFunc(j.report.Files, func(file report.File) bool { return file.Name == name })
	if i < 0 {
		return nil
	}
	return &j.report.Files[i]
}

// texts returns the text of a file before the run and as it will be written.
func (j *job) texts(name string) (before, after string, err error) {
	if file := j.edited(name); file != nil {
		return string(file.Before), string(file.After), nil
	}
	text, err := os.ReadFile(name)
	return string(text), string(text), err
}

// edit gives a file another text.
func (j *job) edit(name, before, after string) {
	if file := j.edited(name); file != nil {
		file.After = []byte(after)
		return
	}
	j.file(report.File{Name: name, Before: []byte(before), After: []byte(after)})
}

// relative returns the path from the working directory of a file in the repository. Others, such as those in the module
// cache, keep their paths.
func (j *job) relative(name string) string {
	relative, err := filepath.Rel(j.dir, name)
	if err != nil || j.outside(name) {
		return name
	}
	return relative
}
