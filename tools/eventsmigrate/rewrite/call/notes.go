// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/api"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// series is what the occurrences of one Event of the events API have in common, as far as code tells it.
type series struct {
	recorder       types.Object
	reason, action string
}

// noted is a call that records a constant note.
type noted struct {
	file *plan.File
	call *ast.CallExpr
	note string
}

// record notes a call whose recorder, reason and note are known.
func (f *file) record(c call, action string) {
	reason, note := f.TypesInfo.Types[c.reason].Value, c.note
	if inner, ok := f.sprintf(c); ok {
		note = inner.Args[0]
	}
	text := f.TypesInfo.Types[note].Value
	recorder := f.recorder(c.sel.X)
	if recorder == nil || reason == nil || text == nil {
		return
	}
	if action == f.Text(c.reason) {
		action = constant.StringVal(reason)
	}
	key := series{recorder, constant.StringVal(reason), action}
	f.notes[key] = append(f.notes[key], noted{f.File, c.CallExpr, constant.StringVal(text)})
}

// recorder is the variable or the field that holds a recorder, or nil.
func (f *file) recorder(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.TypesInfo.Uses[e]
	case *ast.SelectorExpr:
		return f.TypesInfo.Uses[e.Sel]
	}
	return nil
}

// MergedNotes names the calls whose notes were Events of their own, and become the first one's Event.
func (p *Package) MergedNotes() {
	for key, all := range p.notes {
		for i, later := range all {
			first := slices.IndexFunc(all, func(n noted) bool { return n.note == later.note })
			if first < i || i == 0 {
				continue // told before
			}
			at := later.file.Fset.Position(all[0].call.Pos())
			later.file.Leave(later.call, plan.Notes,
				"under reason %s, %q and %q (%s:%d) become one Event with the note that came first%s",
				key.reason, later.note, all[0].note, filepath.Base(at.Filename), at.Line, p.apart())
		}
	}
}

// apart is how to keep notes apart.
func (p *Package) apart() string {
	if p.Target == api.SDK {
		return ": another action, or WithNotes(events.NotesDistinct(n)) on the recorder, keeps them apart"
	}
	return ": another action keeps them apart"
}
