// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/dataflow"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/recording"
)

// A Catalog has the Events of a program, in one or several builds.
type Catalog struct {
	Entries []*Entry
	// Calls are how many calls record, and Unknown are the places of those without an entry, because the code does not tell
	// their reason.
	Calls   int
	Unknown []token.Position

	found []*Entry                // as the code of each build tells them
	calls map[token.Position]bool // that record, in any build
}

// Collect finds the Events that the packages record.
func Collect(fset *token.FileSet, pkgs []*packages.Package) (*Catalog, error) {
	graph, err := checker.Analyze([]*analysis.Analyzer{recording.Surveyor}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	var surveys []*recording.Survey
	var analyzed []*dataflow.Package
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action, action.Err)
		}
		survey := action.Result.(*recording.Survey)
		surveys = append(surveys, survey)
		analyzed = append(analyzed, survey.Package)
	}
	c := &collector{
		Program: dataflow.NewProgram(analyzed),
		fset:    fset,
		docs:    &docs{fset: fset},
		build:   Catalog{calls: map[token.Position]bool{}},
	}
	for _, s := range surveys {
		for _, r := range s.Direct() {
			c.record(r)
		}
	}
	all := &Catalog{}
	all.Add(&c.build)
	return all, nil
}

// Add adds the Events of another build.
func (c *Catalog) Add(other *Catalog) {
	c.found = slices.Concat(c.found, other.found)
	c.Unknown = slices.Concat(c.Unknown, other.Unknown)
	slices.SortFunc(c.Unknown, comparePlaces)
	c.Unknown = slices.Compact(c.Unknown)
	if c.calls == nil {
		c.calls = map[token.Position]bool{}
	}
	maps.Copy(c.calls, other.calls)
	c.Calls = len(c.calls)
	c.Entries = merged(named(c.found))
}

// named returns copies of entries. If all recorders that are known have one name, the others have it, too.
func named(found []*Entry) (all []*Entry) {
	names := map[string]bool{}
	for _, e := range found {
		names[e.Controller] = true
	}
	delete(names, "")
	name := ""
	if len(names) == 1 {
		name = slices.Collect(maps.Keys(names))[0]
	}
	for _, e := range found {
		copied := *e
		copied.Controller = cmp.Or(copied.Controller, name)
		all = append(all, &copied)
	}
	return all
}

type collector struct {
	*dataflow.Program
	fset  *token.FileSet
	docs  *docs
	build Catalog
}

// maxCalls bounds the callers of a call that records, with their callers. What is beyond it is unknown.
const maxCalls = 4000

// record adds the entries of a call. It looks at the callers of the function around it as long as they say more.
func (c *collector) record(r *recording.Recording) {
	c.build.calls[c.fset.PositionFor(r.Pos(), false)] = true
	fn := r.Function()
	if fn != nil && recording.Records(fn) { // its callers are calls of a recorder, too
		return
	}
	frames := []*frame{{Call: r.Call, fn: fn}}
	for looked := 0; len(frames) > 0; looked++ {
		if looked == maxCalls {
			for _, f := range frames {
				c.build.Unknown = append(c.build.Unknown, c.place(f))
			}
			return
		}
		f := frames[0]
		frames = frames[1:]
		reading := &reading{collector: c, rec: r, frame: f}
		entries := reading.entries()
		if reading.open {
			if callers := c.callers(f); len(callers) > 0 {
				frames = append(frames, callers...)
				continue
			}
		}
		c.build.found = append(c.build.found, entries...)
		if len(entries) == 0 {
			c.build.Unknown = append(c.build.Unknown, c.place(f))
		}
	}
}

// callers returns a frame for each call of the topmost function.
func (c *collector) callers(f *frame) (all []*frame) {
	if f.fn == nil {
		return nil
	}
	for _, call := range c.CallsOf(f.fn) {
		if fn := call.Function(); !f.within(fn) {
			all = append(all, &frame{Call: call, fn: fn, below: f})
		}
	}
	return all
}

func (c *collector) place(f *frame) token.Position { return c.fset.PositionFor(f.Pos(), false) }

// docOf returns the comment of the constant that has a value.
func (c *collector) docOf(value string, named []*types.Const) string {
	for _, constants := range named {
		if constant.StringVal(constants.Val()) == value {
			if doc := c.docs.of(constants); doc != "" {
				return doc
			}
		}
	}
	return ""
}
