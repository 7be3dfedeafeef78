// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// standardInput is the file that stands for standard input.
const standardInput = "-"

// checkRoles is the command rbac. It looks at the roles in manifests and in Go code, which may be those of another repository. The
// files may need each other, because a binding says whose role it is.
func checkRoles(ctx context.Context, j *job) error {
	var err error
	if j.dir, err = filepath.EvalSymlinks(j.dir); err != nil {
		return err
	}
	j.progress.Show("reading manifests")
	found := newInventory(j)
	for _, pattern := range j.options.args {
		before := found.files
		err := found.readNamed(pattern)
		if err == nil && found.files == before {
			err = fmt.Errorf("%s has no manifest that can be read", pattern)
		}
		if err != nil {
			return err
		}
	}
	for _, dir := range modulesOf(found.roles) {
		if err := found.readMarkers(dir, func(string) bool { return true }); err != nil {
			return err
		}
	}
	if err := found.settle(); err != nil {
		return err
	}
	if err := found.judge(); err != nil {
		return err
	}
	return j.finish(ctx)
}

// modulesOf returns the directories of the modules in which YAML may be made of markers.
func modulesOf(roles []*manifest.Role) (dirs []string) {
	for _, role := range roles {
		if dir := moduleOf(role.File); role.Format == manifest.YAML && dir != "" {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// readNamed reads a file, the files below a directory, or standard input. A pipe with a name is like standard input.
func (i *inventory) readNamed(pattern string) error {
	if pattern == standardInput {
		return inInput("standard input", i.readStream(i.stdin))
	}
	info, err := os.Stat(pattern)
	if err != nil {
		return err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		pipe, err := os.Open(pattern)
		if err != nil {
			return err
		}
		defer pipe.Close()
		return inInput(pattern, i.readStream(pipe))
	}
	root, err := filepath.EvalSymlinks(pattern)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return i.readDir(root, skipsDir)
	}
	text, err := os.ReadFile(root)
	if err != nil {
		return err
	}
	file, err := read(root, string(text))
	if err != nil {
		return inInput(pattern, err)
	}
	i.add(file)
	return nil
}

// readStream reads what another program prints.
func (i *inventory) readStream(from io.Reader) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	file, err := read(standardInput, string(text))
	if err == nil && file.Format == manifest.Template {
		err = errors.New("it is a template: pass what helm template makes of it")
	}
	if err == nil {
		i.add(file)
	}
	return err
}

// read reads what somebody named. Nothing in it means that it was not rendered.
func read(name, text string) (manifest.File, error) {
	if strings.TrimSpace(text) == "" {
		return manifest.File{}, errors.New("it is empty: nothing was rendered")
	}
	return manifest.Read(name, text)
}

// inInput adds the name of an input to an error.
func inInput(input string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", input, err)
	}
	return nil
}

// judge says of each role what it may do, and adds the rule to those that lack it, where they are in a file that has a
// place for it. The report has files that could not be read already.
func (i *inventory) judge() error {
	unread := len(i.report.Manifests) > 0
	var writers, lacking, edited []*manifest.Role
	for _, role := range i.roles {
		if role.Format == manifest.Kubebuilder {
			continue // the migration edits the markers
		}
		status, message := report.Kept, mayDo(role)
		switch role.Need {
		case manifest.Nothing:
			if message = mayRead(role); message == "" {
				continue
			}
		case manifest.Election:
			message = "is for leader election, which records through core/v1. It stays as it is"
		case manifest.Covered:
			message += ". Whoever has it may do so by another role"
		case manifest.Complete:
			writers = append(writers, role)
		default:
			writers, lacking = append(writers, role), append(lacking, role)
			if remedy := i.remedy(role); remedy != "" {
				status, message = report.Human, message+". "+remedy
			} else if role.File != standardInput && role.Editable() {
				status, edited = report.Rewritten, append(edited, role)
			} else {
				status = report.Human
			}
		}
		i.rbac(status, role.File, role.Line, "%s %s", describe(role), message)
	}
	switch n := len(writers); {
	case n == 0 && unread:
		i.report.Verdict = "no role that can be read may write Events"
	case n == 0:
		i.report.Verdict = "no role here may write Events"
	default:
		i.report.Verdict = fmt.Sprintf("%d of %s that may write Events %s a rule for events.k8s.io",
			len(lacking), counted(n, "role"), agreed(len(lacking), "needs", "need"))
	}
	if len(lacking) > 0 {
		i.note("%s", forRelease(lacking))
	}
	return i.insert(edited)
}

// remedy says what to do about a role that something makes again, so that an edit of it would be undone. It is empty for others.
func (i *inventory) remedy(role *manifest.Role) string {
	if mod := i.made[role.File]; mod != nil {
		return fmt.Sprintf("controller-gen makes it of kubebuilder markers, so it is not edited: run eventsmigrate ./..., which edits "+
			"both, or change the marker (%s:%d) and run controller-gen", i.slashed(mod.first().File), mod.first().Line)
	}
	if role.Generated {
		return "It is generated, as its file says, and is not edited: add the rule where it comes from"
	}
	return ""
}

// mayRead says what a role may do that somebody has and that allows nothing but reading. It is empty for others.
func mayRead(role *manifest.Role) string {
	reads := role.Reads()
	if len(reads) == 0 || len(role.Holders) == 0 {
		return ""
	}
	return fmt.Sprintf("may %s Events of core/v1, and may not those of events.k8s.io. Both APIs return the same "+
		"Events, so this is enough, unless the component reads events.k8s.io. Then it needs the rule %s",
		join(reads, "and"), manifest.ReadingRule)
}

// keepCore says why a rule for core/v1 stays.
const keepCore = ". Keep the rule for core/v1, because leader election records through core/v1"

// mayDo says what a role may do that may write Events, and why the rule for core/v1 stays.
func mayDo(role *manifest.Role) string {
	may := "may not write Events of core/v1"
	if writes := role.Writes(); len(writes) > 0 {
		may = fmt.Sprintf("may %s Events of core/v1", join(writes, "and"))
	}
	if lacks := role.Lacks(); len(lacks) > 0 {
		may += fmt.Sprintf(", and may not %s those of events.k8s.io", join(lacks, "or"))
	} else {
		may += ", and may create and patch those of events.k8s.io"
	}
	if role.GrantsLeases() && len(role.Writes()) > 0 {
		may += ". It grants leases, too" + keepCore
	}
	return may
}

// describe names a role, who has it, and what it was rendered from.
func describe(role *manifest.Role) string {
	var about []string
	if len(role.Holders) > 0 {
		about = append(about, "granted to "+joinSome(role.Holders))
	}
	if role.Template != "" {
		about = append(about, "from "+role.Template)
	}
	if len(about) == 0 {
		return role.String()
	}
	return fmt.Sprintf("%s (%s)", role, strings.Join(about, "; "))
}

// forRelease is the note for who maintains the chart.
func forRelease(roles []*manifest.Role) string {
	var names []string
	for _, role := range roles {
		names = append(names, role.String())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return fmt.Sprintf("for the release, or for the maintainer of the chart: this release writes Events through "+
		"events.k8s.io/v1, so %s %s the rule %s beside the one for core/v1. A recorder needs both verbs, because it creates "+
		"an Event at the first occurrence and patches the Event at each repeat. Keep the rule for core/v1, because leader "+
		"election records through core/v1, and so do the Pods of earlier releases",
		join(names, "and"), agreed(len(names), "needs", "need"), manifest.NewRule)
}
