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
	"regexp"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// standardInput is the file that stands for standard input.
const standardInput = "-"

// checkRoles is the command rbac. It looks at the roles in manifests, which may be those of another repository, and at no
// code. The files may need each other, because a binding says whose role it is.
func checkRoles(ctx context.Context, j *job) error {
	var err error
	if j.dir, err = filepath.EvalSymlinks(j.dir); err != nil {
		return err
	}
	j.progress.Show("reading manifests")
	var roles []*manifest.Role
	var bindings []manifest.Binding
	for _, pattern := range j.options.args {
		files := 0
		err := j.manifestsIn(pattern, func(file manifest.File) {
			files++
			roles = append(roles, file.Roles...)
			bindings = append(bindings, file.Bindings...)
		})
		if err == nil && files == 0 {
			err = fmt.Errorf("%s has no manifest that can be read", pattern)
		}
		if err != nil {
			return err
		}
	}
	manifest.Bind(roles, bindings)
	if err := j.judge(roles); err != nil {
		return err
	}
	return j.finish(ctx)
}

// manifestsIn reads a file, the files below a directory, or standard input. A pipe with a name is like standard input.
func (j *job) manifestsIn(pattern string, found func(manifest.File)) error {
	if pattern == standardInput {
		return inInput("standard input", readStream(j.stdin, found))
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
		return inInput(pattern, readStream(pipe, found))
	}
	root, err := filepath.EvalSymlinks(pattern)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return j.readDir(root, found)
	}
	text, err := os.ReadFile(root)
	if err != nil {
		return err
	}
	file, err := read(root, string(text))
	if err != nil {
		return inInput(pattern, err)
	}
	found(file)
	return nil
}

// hasRole matches the kind of a role in a manifest.
var hasRole = regexp.MustCompile(`(?m)^\s*-?\s*"?kind"?:\s*"?(Cluster)?Role"?\s*,?$`)

// readDir reads the files below a directory that may have roles.
func (j *job) readDir(root string, found func(manifest.File)) error {
	return load.Walk(root, skipsDir, func(name string) error {
		if manifest.Formatted(name) == "" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil {
			j.readFile(name, string(text), found)
		}
		return err
	})
}

// readFile reads a file that may have roles. One that cannot be parsed and has no role is not for Kubernetes.
func (j *job) readFile(name, text string, found func(manifest.File)) {
	file, err := manifest.Read(name, text)
	switch {
	case err == nil:
		found(file)
	case hasRole.MatchString(text):
		j.rbac(report.Human, name, 1, "this file has a role, and cannot be parsed: look at its rules yourself: %v", err)
	}
}

// readStream reads what another program prints.
func readStream(from io.Reader, found func(manifest.File)) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	file, err := read(standardInput, string(text))
	if err == nil && file.Format == manifest.Template {
		err = errors.New("it is a template: pass what helm template makes of it")
	}
	if err == nil {
		found(file)
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
func (j *job) judge(roles []*manifest.Role) error {
	unread := len(j.report.Manifests) > 0
	edits := map[string][]*manifest.Role{}
	made := &markers{job: j, modules: map[string][]manifest.Marker{}}
	var writers, lacking []*manifest.Role
	for _, role := range roles {
		status, message := report.Kept, ""
		lacks, reads := role.Lacks(), role.Reads()
		switch {
		case !role.Records() && len(reads) > 0 && len(role.Holders) > 0:
			message = fmt.Sprintf("may %s Events of core/v1, and may not those of events.k8s.io. Both APIs return the same "+
				"Events, so this is enough, unless the component reads events.k8s.io. Then it needs the rule %s",
				join(reads, "and"), manifest.ReadingRule)
		case !role.Records():
			continue
		case role.OnlyForElection(roles):
			message = "is for leader election, which records through core/v1. It stays as it is"
		case len(lacks) > 0 && role.Covered(roles):
			message = mayDo(role) + ". Whoever has it may do so by another role"
		case len(lacks) == 0:
			writers = append(writers, role)
			message = mayDo(role)
		default:
			writers, lacking = append(writers, role), append(lacking, role)
			message = mayDo(role)
			status = report.Human
			remedy, err := made.remedy(role)
			switch {
			case err != nil:
				return err
			case remedy != "":
				message += ". " + remedy
			case role.File != standardInput && role.Editable():
				status = report.Rewritten
				edits[role.File] = append(edits[role.File], role)
			}
		}
		j.rbac(status, role.File, role.Line, "%s %s", describe(role), message)
	}
	for name, roles := range edits {
		before, _, err := j.texts(name)
		if err != nil {
			return err
		}
		j.edit(name, before, manifest.Insert(before, roles))
	}
	switch n := len(writers); {
	case n == 0 && unread:
		j.report.Verdict = "no role that can be read may write Events"
	case n == 0:
		j.report.Verdict = "no role here may write Events"
	default:
		j.report.Verdict = fmt.Sprintf("%d of %s that may write Events %s a rule for events.k8s.io",
			len(lacking), counted(n, "role"), agreed(len(lacking), "needs", "need"))
	}
	if len(lacking) > 0 {
		j.note("%s", forRelease(lacking))
	}
	return nil
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
	switch {
	case role.NamedForElection():
		return may + ". It is named for leader election, but whoever has it may write Events by no other role" + keepCore
	case role.GrantsLeases() && len(role.Writes()) > 0:
		return may + ". It grants leases, too" + keepCore
	default:
		return may
	}
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
