// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Unseen returns those of some files of the main modules that are in none of these builds, because they are for another
// system or behind a tag. They may no longer compile after the edits, and no check would show it.
func (p *Project) Unseen(scopes []*Scope, concerns func(file string) bool) []string {
	var unseen []string
	for _, module := range p.Modules {
		for _, name := range goFiles(module.Dir) {
			seen := func(scope *Scope) bool { return scope.seen[name] }
			if !slices.ContainsFunc(scopes, seen) && concerns(name) {
				unseen = append(unseen, name)
			}
		}
	}
	slices.Sort(unseen)
	return slices.Compact(unseen)
}

// Tags returns the tags of builds that have files, each beginning with tags that all builds have. A file for another system
// is in none of them.
func Tags(files []string, base string) []string {
	var builds []string
	for _, name := range files {
		if tags := tagsOf(name, base); tags != "" && !slices.Contains(builds, tags) {
			builds = append(builds, tags)
		}
	}
	return builds
}

// tagsOf returns the tags that select a file: none, one, or all that it mentions. It returns "" if these do not.
func tagsOf(name, base string) string {
	mentioned := mentionedTags(name)
	sets := [][]string{nil}
	for _, tag := range mentioned {
		sets = append(sets, []string{tag})
	}
	for _, set := range append(sets, mentioned) {
		system := build.Default
		system.BuildTags = append(strings.FieldsFunc(base, func(r rune) bool { return r == ',' }), set...)
		if matches, err := system.MatchFile(filepath.Split(name)); matches && err == nil {
			return strings.Join(system.BuildTags, ",")
		}
	}
	return ""
}

// mentionedTags are the tags in a file's build constraint that a user can set.
func mentionedTags(name string) []string {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		return nil
	}
	var tags []string
	for _, group := range file.Comments {
		for _, comment := range group.List {
			expr, err := constraint.Parse(comment.Text)
			if err != nil || comment.Pos() > file.Package {
				continue
			}
			expr.Eval(func(tag string) bool {
				if !reserved(tag) && !slices.Contains(tags, tag) {
					tags = append(tags, tag)
				}
				return false
			})
		}
	}
	return tags
}

// reserved reports whether a tag is the system's or the compiler's, or keeps a file out of every build.
func reserved(tag string) bool {
	if strings.HasPrefix(tag, "go1.") || slices.Contains([]string{"unix", "cgo", "gc", "gccgo", "ignore"}, tag) {
		return true
	}
	other := build.Context{OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, _ := other.MatchFile("", "file_"+tag+".go") // only for a system is this a constraint
	return !matches
}

// ignored reports whether the go command ignores files and directories of that name.
func ignored(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}
