// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/catalog"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// The files of a catalogue, in the working directory.
const (
	catalogFile = "events.yaml"
	catalogPage = "events.md"
)

// catalogue writes the files of the catalogue, or compares them with the code. It returns the exit code.
func catalogue(ctx context.Context, options *options, stdout, stderr io.Writer) int {
	left, err := (&cataloguer{options: options, out: stdout}).run(ctx, stderr)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "eventsmigrate: %v\n", err)
		return couldNotRun
	case left:
		return somethingLeft
	}
	return nothingLeft
}

type cataloguer struct {
	options *options
	out     io.Writer
	dir     string
}

// run reports whether the file is not what the code is.
func (c *cataloguer) run(ctx context.Context, stderr io.Writer) (left bool, err error) {
	c.dir, err = os.Getwd()
	if err != nil {
		return false, err
	}
	found, err := c.collect(ctx, stderr)
	if err != nil {
		return false, err
	}
	before, err := os.ReadFile(catalogFile)
	if c.options.check && errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("there is no %s: write it with eventsmigrate -catalog", catalogFile)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	var entries []*catalog.Entry
	if err == nil {
		if entries, err = catalog.Read(before); err != nil {
			return false, fmt.Errorf("%s: %w", catalogFile, err)
		}
	}
	differences := catalog.Update(entries, found.Entries)
	after, err := catalog.Write(found.Entries)
	if err != nil {
		return false, err
	}
	if c.options.check {
		differs := c.check(differences, bytes.Equal(before, after))
		c.unknown(found)
		return differs, nil
	}
	if page, err := os.ReadFile(catalogPage); err == nil && !bytes.HasPrefix(page, []byte(catalog.PageHead)) {
		return false, fmt.Errorf("%s is not a page of this tool: rename it; nothing is written", catalogPage)
	}
	if err := os.WriteFile(catalogFile, after, 0o644); err != nil {
		return false, err
	}
	if err := os.WriteFile(catalogPage, catalog.Page(found.Entries), 0o644); err != nil {
		return false, err
	}
	fmt.Fprintf(c.out, "%s lists what %s can record, by controller, type, reason and action: %d in all\n", catalogFile,
		counted(found.Calls, "recording call"), len(found.Entries))
	if len(before) > 0 {
		c.list(differences)
	}
	c.unknown(found)
	return false, nil
}

// check prints how the code differs from the file, and reports whether that matters to those who match Events.
func (c *cataloguer) check(differences []catalog.Difference, same bool) bool {
	switch {
	case same:
		fmt.Fprintf(c.out, "%s has all that can be told from the code\n", catalogFile)
	case len(differences) == 0:
		fmt.Fprintf(c.out, "%s has all reasons and actions that the code records, and older notes, objects or comments: "+
			"eventsmigrate -catalog writes the new ones\n", catalogFile)
	default:
		fmt.Fprintf(c.out, "the code does not record what %s has: %s\n", catalogFile, counted(len(differences), "difference"))
		c.list(differences)
		fmt.Fprintf(c.out, "Alerts and scripts match reasons and actions. If the change is meant, run eventsmigrate -catalog, and commit "+
			"%s.\n", catalogFile)
	}
	return len(differences) > 0
}

// list prints differences, each with its places.
func (c *cataloguer) list(differences []catalog.Difference) {
	for _, d := range differences {
		fmt.Fprintf(c.out, "  %s%s\n", d, c.places(d.Places()))
	}
}

// places returns the first of some places.
func (c *cataloguer) places(all []token.Position) string {
	if len(all) == 0 {
		return ""
	}
	return ": " + c.place(all[0])
}

func (c *cataloguer) place(at token.Position) string {
	name := at.Filename
	if relative, err := filepath.Rel(c.dir, name); err == nil {
		name = filepath.ToSlash(relative)
	}
	return fmt.Sprintf("%s:%d", name, at.Line)
}

// unknown prints which calls have no entry.
func (c *cataloguer) unknown(found *catalog.Catalog) {
	if len(found.Unknown) == 0 {
		return
	}
	fmt.Fprintf(c.out, "not in it, because the reason is not a constant: %s\n", counted(len(found.Unknown), "call"))
	for _, at := range found.Unknown {
		fmt.Fprintf(c.out, "  %s\n", c.place(at))
	}
}

// collect finds the Events of all builds.
func (c *cataloguer) collect(ctx context.Context, stderr io.Writer) (*catalog.Catalog, error) {
	options := *c.options
	options.lint = true // the SDK is not needed
	m := &migration{options: &options, dir: c.dir, progress: report.NewProgress(stderr), report: &report.Report{}}
	defer m.progress.Done()
	var err error
	if m.project, err = load.Open(ctx, m.dir); err != nil {
		return nil, err
	}
	defer m.project.Close()
	if _, err := m.load(ctx); err != nil {
		return nil, err
	}
	all := &catalog.Catalog{}
	for i, program := range m.programs {
		if err := lacking(m.scopes[i], program); err != nil && !options.force {
			return nil, err
		}
		m.progress.Show("analysing %s", counted(len(program.Selected), "package"))
		found, err := catalog.Collect(program.Fset, program.Selected)
		if err != nil {
			return nil, err
		}
		all.Add(found)
	}
	return all, nil
}

// lacking returns an error if a package of the scope could not be loaded. That its tests could not be does not matter.
func lacking(scope *load.Scope, program *load.Program) error {
	left := slices.DeleteFunc(slices.Sorted(maps.Keys(scope.Selected)), program.Ours)
	if len(left) == 0 {
		return nil
	}
	name, cause := left[0], ""
	for _, broken := range program.Broken {
		if len(broken.Errors) > 0 && slices.Contains(left, broken.Package) {
			name, cause = broken.Package, ": "+broken.Cause().Msg
			break
		}
	}
	return fmt.Errorf("%s does not compile, or imports what does not, and %s would lack what it records%s", name, catalogFile, cause)
}
