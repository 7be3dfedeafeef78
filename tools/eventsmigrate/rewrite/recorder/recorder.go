// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package recorder rewrites where recorders, broadcasters and fakes come from and go to: the names of their types and
// constructors, a manager's recorder, and the bridges to code that stays old. It reports what is left.
package recorder

import (
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/border"
	"github.com/eventseries/eventseries/tools/eventsmigrate/rewrite/plan"
)

// file is the rewrite of one file.
type file struct {
	*plan.File
	*border.Package
}

// Decide finds what is made in a file for code that stays old, and rewrites what managers make. The other steps need to
// know that of all files.
func Decide(f *plan.File, b *border.Package) {
	file := &file{f, b}
	file.handedOver()
	if !f.Frozen {
		file.sinkless()
		file.managers()
	}
}

// Rename puts new names in the place of old ones.
func Rename(f *plan.File, b *border.Package) { (&file{f, b}).renames() }

// Bridge bridges what crosses the border of a file, and reports what is left there when all other steps are done.
func Bridge(f *plan.File, b *border.Package) {
	file := &file{f, b}
	file.bridged()
	file.clientGoBridges()
	file.boundaries()
	if f.Frozen {
		return
	}
	file.methodsOfOld()
	file.leftovers()
	file.comments()
}
