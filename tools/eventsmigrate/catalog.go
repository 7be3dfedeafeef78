// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/token"
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

// catalogue is the command catalog: it writes the files of the catalogue, or compares them with the code.
func catalogue(ctx context.Context, j *job) error {
	s, err := open(ctx, j)
	if err != nil {
		return err
	}
	defer s.project.Close()
	found, err := s.collect(ctx)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(catalogFile)
	if j.options.check && errors.Is(err, fs.ErrNotExist) {
		return s.noCatalog()
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var entries []*catalog.Entry
	if err == nil {
		if entries, err = catalog.Read(before); err != nil {
			return fmt.Errorf("%s: %w", catalogFile, err)
		}
	}
	differences := catalog.Update(entries, found.Entries)
	after, err := catalog.Write(found.Entries)
	if err != nil {
		return err
	}
	for _, at := range found.Unknown {
		j.event(report.Kept, "unknown", at, "the reason of this call is not a constant")
	}
	for _, name := range s.project.Unseen(s.scopes, load.CallsRecorder) {
		j.event(report.Kept, report.Unseen, token.Position{Filename: name},
			"this file is in none of the builds that were looked at: if it records, add a build (-tags= -tags=TAGS)")
	}
	if j.options.check {
		j.differ(differences, report.Human)
		j.report.Verdict = checked(len(differences), bytes.Equal(before, after))
		if len(differences) > 0 {
			j.note("alerts and scripts match reasons and actions: "+
				"if the change is meant, run eventsmigrate catalog, and commit %s", catalogFile)
		}
		return nil
	}
	if before != nil {
		j.differ(differences, report.Rewritten)
	}
	j.report.Verdict = fmt.Sprintf("%s lists what %s can record, by controller, type, reason and action: %d in all",
		catalogFile, counted(found.Calls, "recording call"), len(found.Entries))
	page, err := os.ReadFile(catalogPage)
	if err == nil && !bytes.HasPrefix(page, []byte(catalog.PageHead)) {
		return fmt.Errorf("%s is not a page of this tool: rename it; nothing is written", catalogPage)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	j.file(report.File{Name: filepath.Join(j.dir, catalogFile), Before: before, After: after})
	j.file(report.File{Name: filepath.Join(j.dir, catalogPage), Before: page, After: catalog.Page(found.Entries)})
	return j.write()
}

// noCatalog is the error if there is nothing to compare with. It names a catalogue above, because people begin in a directory.
func (s *source) noCatalog() error {
	for dir := s.dir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		name := filepath.Join(dir, catalogFile)
		if s.outside(name) {
			break
		}
		if _, err := os.Stat(name); err == nil {
			return fmt.Errorf("there is no %s here, but %s: run eventsmigrate catalog -check there", catalogFile, s.slashed(name))
		}
	}
	return fmt.Errorf("there is no %s: write it with eventsmigrate catalog", catalogFile)
}

// checked is the verdict about a file that differs from the code in what people match, in something else, or not at all.
func checked(differences int, same bool) string {
	switch {
	case differences > 0:
		return fmt.Sprintf("the code does not record what %s has: %s", catalogFile, counted(differences, "difference"))
	case same:
		return catalogFile + " has all that can be told from the code"
	default:
		return catalogFile + " has all reasons and actions that the code records, and older notes, objects or comments: " +
			"eventsmigrate catalog writes the new ones"
	}
}

// differ reports how the code differs from the file, each difference with its first place.
func (j *job) differ(differences []catalog.Difference, status report.Status) {
	for _, d := range differences {
		at := token.Position{Filename: filepath.Join(j.dir, catalogFile)}
		if places := d.Places(); len(places) > 0 {
			at = places[0]
		}
		j.event(status, "difference", at, d.String())
	}
}

// event adds a place about an Event.
func (j *job) event(status report.Status, rule string, at token.Position, message string) {
	j.report.Events = append(j.report.Events, report.Place{
		Rule: rule, Status: status, File: j.relative(at.Filename), Line: at.Line, Message: message,
	})
}

// collect finds the Events of all builds.
func (s *source) collect(ctx context.Context) (*catalog.Catalog, error) {
	if err := s.find(ctx); err != nil {
		return nil, err
	}
	for _, scope := range s.scopes {
		scope.SelectImports()
	}
	if _, err := s.load(ctx); err != nil {
		return nil, err
	}
	all := &catalog.Catalog{}
	for i, program := range s.programs {
		if err := lacking(s.scopes[i], program); err != nil && !s.options.force {
			return nil, err
		}
		s.progress.Show("analysing %s", counted(len(program.Selected), "package"))
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
