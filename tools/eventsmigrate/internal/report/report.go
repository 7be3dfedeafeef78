// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package report prints what a run found and did, for people and as JSON.
package report

import (
	"cmp"
	"slices"
)

// Status is what becomes of a place.
type Status string

const (
	Rewritten Status = "rewritten" // an edit changes it
	Human     Status = "human"     // somebody has to look at it
	Kept      Status = "kept"      // stays on purpose
)

// Rules of places that neither the rewrite nor a lint reports. Those of the rewrite are the categories of package plan, those
// of the lints are lint/ with the name of the lint.
const (
	Broken    = "broken"    // a package that did not compile before
	Withdrawn = "withdrawn" // a file whose edits were given up
	Unseen    = "unseen"    // a file that is in none of the builds
	RBAC      = "rbac"      // a role, or a marker of one
)

// Report is the document that -json prints. Fields are added, never renamed or removed, while Version is 2.
type Report struct {
	Version   int      `json:"version"`
	Target    string   `json:"target,omitempty"` // of a migration
	Verdict   string   `json:"verdict"`          // what the edits are good for
	Refused   bool     `json:"refused"`          // they are good for nothing, so that -fix needs -force
	Written   bool     `json:"written"`          // the edits are on disk
	Asked     string   `json:"asked,omitempty"`  // the file of actions, if it was written, and nothing else
	Places    []Place  `json:"places"`
	Manifests []Place  `json:"manifests"` // RBAC, in YAML and in markers
	Events    []Place  `json:"events"`    // how a catalogue differs from the code, and what it lacks
	Files     []File   `json:"files"`
	Actions   []Action `json:"actions"`
	Notes     []string `json:"notes"`
	Diff      string   `json:"diff,omitempty"` // with -diff
}

// Place is one place. Lines and columns count from 1, in the file as it is when the command ends. Line 0 is the whole file, and
// column 0 a whole line.
type Place struct {
	Rule    string `json:"rule"`
	Status  Status `json:"status"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Action is an action of a reason, or of a function whose reason is not a constant, with the first call that gets it, or
// the first for which it is a guess.
type Action struct {
	Reason string `json:"reason"`
	Action string `json:"action"`
	Guess  bool   `json:"guess"` // nothing tells it with certainty, and nobody gave it
	File   string `json:"file"`
	Line   int    `json:"line"`
}

// File is a file that is edited.
type File struct {
	Path      string `json:"path"`
	Generated bool   `json:"generated"` // its generator has to be run again
	Before    []byte `json:"-"`
	After     []byte `json:"-"`
	Name      string `json:"-"` // absolute
}

// Left reports whether anything is left to do.
func (r *Report) Left() bool {
	human := func(place Place) bool { return place.Status == Human }
	return r.Asked != "" || slices.ContainsFunc(slices.Concat(r.Places, r.Manifests, r.Events), human) ||
		len(r.Files) > 0 && !r.Written
}

// Finish sorts the report.
func (r *Report) Finish() {
	r.Version = 2
	for _, places := range []*[]Place{&r.Places, &r.Manifests, &r.Events} {
		*places = list(*places)
		slices.SortStableFunc(*places, comparePlaces)
	}
	r.Files, r.Actions, r.Notes = list(r.Files), list(r.Actions), list(r.Notes)
	slices.SortFunc(r.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// list is never null in JSON.
func list[T any](s []T) []T { return append([]T{}, s...) }

func comparePlaces(a, b Place) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}
