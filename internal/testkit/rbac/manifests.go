// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/internal/testkit/rbacfile"
)

// Options narrow what is read and who is asked about.
type Options struct {
	// Overlay is the directory of the one kustomization to read; "" is to look for all sources.
	Overlay string
	// Account is whose rights count; the zero value is everybody's who is bound.
	Account Account
}

// Manifests are the sources of a project.
type Manifests struct {
	options   Options
	applied   []source // kustomizations or, if there are none with RBAC, the other manifests together
	generated source   // the markers in Go files
	files     int
	notes     []string // what was not read
}

// source is a set of objects that is applied as a whole, or an error if it cannot be read.
type source struct {
	name    string
	objects []*object
	err     error
}

func (s *source) add(objects []*object, err error) {
	s.objects = append(s.objects, objects...)
	if s.err == nil {
		s.err = err
	}
}

func (s *source) empty() bool {
	return s.err == nil && !slices.ContainsFunc(s.objects, (*object).isRBAC)
}

// Read finds the sources in fsys. What is wrong with a single source is not its error, but found by Verify and Rules.
func Read(fsys fs.FS, options Options) (*Manifests, error) {
	m := &Manifests{options: options, generated: source{name: "kubebuilder markers"}}
	if options.Overlay != "" {
		m.applied = []source{m.kustomization(fsys, path.Clean(options.Overlay))}
		return m, nil
	}
	tree, err := rbacfile.Walk(fsys, func(name string, _ fs.DirEntry) bool {
		return rbacfile.Hidden(name) || slices.Contains([]string{".tpl", ".tmpl"}, path.Ext(name))
	})
	if err == nil {
		err = errors.Join(tree.Unread...)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot look for manifests: %w", err)
	}
	m.files = len(tree.Manifests) + len(tree.GoFiles)
	m.readManifests(fsys, tree)
	for _, file := range tree.GoFiles {
		if !tree.InNestedModule(file) { // which is another program
			m.generated.add(load(fsys, file, markers))
		}
	}
	return m, nil
}

// readManifests makes a source of each kustomization that no other one uses. If none of them has RBAC, it makes one
// of the manifests that no kustomization uses.
func (m *Manifests) readManifests(fsys fs.FS, tree *rbacfile.Tree) {
	var dirs []string
	used := map[string]bool{}
	for _, name := range tree.Kustomizations {
		dir := path.Dir(name)
		k, err := readKustomization(fsys, dir)
		if k != nil {
			for _, part := range k.Parts(dir) {
				used[part] = true
			}
		}
		isSource := err != nil || k != nil && k.Kind != "Component"
		if isSource && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		if used[dir] {
			continue
		}
		if s := m.kustomization(fsys, dir); !s.empty() {
			m.applied = append(m.applied, s)
		}
	}
	if len(m.applied) > 0 {
		return
	}
	s := source{name: "manifests"}
	for _, file := range tree.Manifests {
		if used[file] {
			continue
		}
		objects, err := load(fsys, file, decode)
		if errors.Is(err, errTemplate) {
			m.notes = append(m.notes, fmt.Sprintf("%s %v", file, err))
			err = nil
		}
		s.add(objects, err)
	}
	if !s.empty() {
		m.applied = append(m.applied, s)
	}
}

func (m *Manifests) kustomization(fsys fs.FS, dir string) source {
	objects, notes, err := kustomize(fsys, dir)
	m.notes = append(m.notes, notes...)
	return source{name: "kustomization " + dir, objects: objects, err: err}
}

func load(fsys fs.FS, file string, decode func(file, text string) ([]*object, error)) ([]*object, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	return decode(file, string(text))
}

// Rules returns the rules in force where the project's manifests are applied. There must be one source of them; markers
// count only if there is no other, since manifests are made of them.
func (m *Manifests) Rules() (Rules, error) {
	sources := m.applied
	if len(sources) == 0 && !m.generated.empty() {
		sources = []source{m.generated}
	}
	switch len(sources) {
	case 0:
		return nil, errors.New(m.nothing())
	case 1:
		if sources[0].err != nil {
			return nil, sources[0].err
		}
		return rules(grants(sources[0].objects, m.options.Account)), nil
	default:
		names := make([]string, len(sources))
		for i, s := range sources {
			names[i] = s.name
		}
		return nil, fmt.Errorf("%s are different sources: name one with Overlay", strings.Join(names, ", "))
	}
}

// nothing says that there is no RBAC, and where it was looked for.
func (m *Manifests) nothing() string {
	return fmt.Sprintf("no RBAC found in %d files: kustomizations, manifests (*.yaml, *.yml, *.json) and "+
		"kubebuilder markers (*.go) are read%s", m.files, m.notRead())
}

// notRead lists what was not read.
func (m *Manifests) notRead() string {
	if len(m.notes) == 0 {
		return ""
	}
	slices.Sort(m.notes)
	return "\n  not read:\n    " + strings.Join(slices.Compact(m.notes), "\n    ")
}
