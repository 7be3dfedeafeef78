// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// A Catalog has the Events of a program.
type Catalog struct {
	Entries []*Entry
	// Calls are how many calls record, and Unknown are the places of those without an entry, because the code does not tell
	// their reason.
	Calls   int
	Unknown []token.Position
}

// Collect finds the Events that the packages record.
func Collect(fset *token.FileSet, pkgs []*packages.Package) (*Catalog, error) {
	graph, err := checker.Analyze([]*analysis.Analyzer{recording.Surveyor}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	var surveys []*recording.Survey
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action, action.Err)
		}
		surveys = append(surveys, action.Result.(*recording.Survey))
	}
	c := &collector{code: newCode(fset, surveys)}
	for _, s := range surveys {
		for _, r := range s.Direct() {
			c.record(s, r)
		}
	}
	return c.finish(), nil
}

// Add adds the Events of another build.
func (c *Catalog) Add(other *Catalog) {
	c.Entries = merged(slices.Concat(c.Entries, other.Entries))
	c.Calls = max(c.Calls, other.Calls)
	c.Unknown = append(c.Unknown, other.Unknown...)
	slices.SortFunc(c.Unknown, comparePlaces)
	c.Unknown = slices.Compact(c.Unknown)
}

type collector struct {
	*code
	catalog Catalog
}

// finish returns the catalogue. If all recorders that are known have one name, the others have it, too.
func (c *collector) finish() *Catalog {
	names := map[string]bool{}
	for _, e := range c.catalog.Entries {
		names[e.Controller] = true
	}
	delete(names, "")
	for name := range names {
		for _, e := range c.catalog.Entries {
			if len(names) == 1 {
				e.Controller = name
			}
		}
	}
	c.catalog.Entries = merged(c.catalog.Entries)
	return &c.catalog
}

// maxCalls bounds the callers of a call that records, with their callers.
const maxCalls = 4000

// record adds the entries of a call. It looks at the callers of the function around it as long as they say more.
func (c *collector) record(s *recording.Survey, r *recording.Recording) {
	c.catalog.Calls++
	decl := recording.EnclosingFunc(r.Cursor)
	if decl == nil {
		return
	}
	fn := s.Info.Defs[decl.Name].(*types.Func)
	if recording.Records(fn) { // its callers are calls of a recorder, too
		return
	}
	frames := []*frame{{code: c.code, function: function{s, fn, decl}}}
	for looked := 0; len(frames) > 0 && looked < maxCalls; looked++ {
		f := frames[0]
		frames = frames[1:]
		reading := &reading{frame: f}
		entries := reading.entries(r)
		if reading.open {
			if callers := c.callers(f); len(callers) > 0 {
				frames = append(frames, callers...)
				continue
			}
		}
		c.catalog.Entries = append(c.catalog.Entries, entries...)
		if len(entries) == 0 {
			c.catalog.Unknown = append(c.catalog.Unknown, f.place(r.Call))
		}
	}
}

// callers returns a frame for each call of the topmost function.
func (c *collector) callers(f *frame) (all []*frame) {
	top := f.top()
	for _, from := range c.sites[top.Pos()] {
		decl := recording.EnclosingFunc(from.cursor)
		if decl == nil {
			continue
		}
		fn := from.Info.Defs[decl.Name].(*types.Func)
		if f.within(fn) {
			continue
		}
		caller := &frame{code: c.code, function: function{from.Survey, fn, decl}}
		all = append(all, f.below(caller, from.call))
	}
	return all
}

// entries returns the entries of a recording in a frame: one for each combination of the values that the code tells.
func (r *reading) entries(rec *recording.Recording) (all []*Entry) {
	f := r.frame
	reasons, named := r.strings(f, rec.Arg(recording.Reason))
	kinds, _ := r.strings(f, rec.Arg(recording.Type))
	actions, _ := r.strings(f, rec.Arg(recording.Action))
	controllers := r.controllers(f, rec)
	shared := Entry{
		Regarding: r.kinds(f, rec.Arg(recording.Regarding)),
		Related:   r.kinds(f, rec.Arg(recording.Related)),
		Notes:     r.notes(f, rec.Arg(recording.Note), rec.NoteArgs()),
		Places:    []token.Position{f.place(rec.Call)},
	}
	for _, reason := range reasons {
		if reason == "" {
			continue
		}
		for _, controller := range orUnknown(controllers) {
			for _, kind := range orUnknown(kinds) {
				for _, action := range orUnknown(actions) {
					e := shared
					e.Controller, e.Type, e.Reason, e.Action = controller, kind, reason, action
					e.Doc = f.docOf(reason, named)
					all = append(all, &e)
				}
			}
		}
	}
	return all
}

// orUnknown returns the values, or that of one that is not known.
func orUnknown(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}

// docOf returns the comment of the constant that has a value.
func (f *code) docOf(value string, named []*types.Const) string {
	for _, c := range named {
		if constant.StringVal(c.Val()) == value {
			if doc := f.docs.of(c); doc != "" {
				return doc
			}
		}
	}
	return ""
}
