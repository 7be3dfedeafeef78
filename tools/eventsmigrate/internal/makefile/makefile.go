// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package makefile finds the target of a Makefile that makes manifests.
package makefile

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Find returns the target that makes manifests again, of the nearest Makefile in the directory of the first and those above that
// are not outside. It is empty if there is none.
func Find(manifests []string, outside func(file string) bool) string {
	for dir := filepath.Dir(manifests[0]); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		name := filepath.Join(dir, "Makefile")
		if outside(name) {
			break
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		var files []string
		for _, manifest := range manifests {
			relative, _ := filepath.Rel(dir, manifest) // both are absolute
			files = append(files, filepath.ToSlash(relative))
		}
		if found := making(targets(string(text), dir), files); found != "" {
			return found
		}
	}
	return ""
}

// target is one of a Makefile.
type target struct {
	name   string
	needs  []string
	recipe string
}

// makesRoles matches a recipe that makes roles of markers. It may name controller-gen as a prerequisite only.
var makesRoles = regexp.MustCompile(`(?i)controller[-_]gen.*\brbac\b|\brbac(:\S+)?\s.*\bpaths=`)

// makesBundle matches a recipe that makes the bundle of an operator, in the directory of that name.
var makesBundle = regexp.MustCompile(`\bgenerate bundle\b`)

// making returns the target whose recipe runs controller-gen, or names one of the files, which counts more, or both. A target that is
// a file names it. The recipes of what it needs count as its own. Of several, it is the one that does most of that, and then the one
// that runs the fewest targets.
func making(all []target, files []string) string {
	type candidate struct {
		name       string
		does, runs int
	}
	var found []candidate
	for _, t := range all {
		runs := map[string]bool{}
		recipe := recipeOf(all, t.name, runs)
		does := 0
		if makesRoles.MatchString(recipe) {
			does++
		}
		for _, file := range files {
			if runs[file] || strings.Contains(recipe, file) || strings.HasPrefix(file, "bundle/") && makesBundle.MatchString(recipe) {
				does += 2
			}
		}
		if does > 0 {
			found = append(found, candidate{name: t.name, does: does, runs: len(runs)})
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.does, a.does), cmp.Compare(a.runs, b.runs))
	}).name
}

// recipeOf returns the recipe of a target, behind those of what it needs, without the targets that were seen.
func recipeOf(all []target, name string, seen map[string]bool) (recipe string) {
	if seen[name] {
		return ""
	}
	seen[name] = true
	for _, t := range all {
		if t.name == name {
			for _, needed := range t.needs {
				recipe += recipeOf(all, needed, seen)
			}
			recipe += t.recipe
		}
	}
	return recipe
}

// rule matches the first line of a rule whose targets have plain names.
var rule = regexp.MustCompile(`^(\w[\w ./-]*?)\s*::?(?:\s+([^=#|]*)(?:[#|].*)?)?$`)

// script matches the path of a script in a recipe that generates something, by its name.
var script = regexp.MustCompile(`[\w./-]*(?:gen|manifest|rbac)[\w.-]*\.sh\b`)

// targets reads the rules of the Makefile of a directory, with the scripts that they run. It does not read files that are
// included.
func targets(text, dir string) (all []target) {
	first := 0 // of the targets of the rule that a line belongs to
	for line := range strings.SplitSeq(joined(text), "\n") {
		if strings.HasPrefix(line, "\t") {
			for _, name := range script.FindAllString(line, -1) {
				text, _ := os.ReadFile(filepath.Join(dir, name)) // it may be somewhere else
				line += "\n" + joined(string(text))
			}
			for i := first; i < len(all); i++ {
				all[i].recipe += line + "\n"
			}
			continue
		}
		head := rule.FindStringSubmatch(line)
		if head == nil {
			continue
		}
		first = len(all)
		for _, name := range strings.Fields(head[1]) {
			all = append(all, target{name: name, needs: strings.Fields(head[2])})
		}
	}
	return all
}

// joined is a text with one line for those that a backslash continues.
func joined(text string) string { return strings.ReplaceAll(text, "\\\n", " ") }
