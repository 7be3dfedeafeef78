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
)

// source is a set of objects that is applied as a whole, or an error if it cannot be read.
type source struct {
	name      string
	ofMarkers bool
	objects   []*object
	err       error
}

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

// Read finds the sources in fsys. What is wrong with a single source is not its error, but found by Verify and Rules.
func Read(fsys fs.FS, options Options) (*Manifests, error) {
	m := &Manifests{options: options}
	if options.Overlay != "" {
		m.applied = []source{m.kustomization(fsys, path.Clean(options.Overlay))}
		return m, nil
	}
	t, err := walk(fsys)
	if err != nil {
		return nil, fmt.Errorf("cannot look for manifests: %w", err)
	}
	m.files = len(t.manifests) + len(t.sources) + len(t.kustomizations)
	used := t.used()
	for _, dir := range t.kustomizations {
		if k := t.read[dir]; used[dir] || k != nil && k.Kind == "Component" {
			continue
		}
		s := m.kustomization(fsys, dir)
		if !s.empty() {
			m.applied = append(m.applied, s)
		}
	}
	if len(m.applied) == 0 {
		m.plain(fsys, t, used)
	}
	m.markers(fsys, t)
	return m, nil
}

func isRBAC(o *object) bool { return o.isRole() || o.isBinding() }

func (m *Manifests) kustomization(fsys fs.FS, dir string) source {
	objects, notes, err := kustomize(fsys, dir)
	m.notes = append(m.notes, notes...)
	return source{name: "kustomization " + dir, objects: objects, err: err}
}

// plain makes one source of the manifests that no kustomization uses.
func (m *Manifests) plain(fsys fs.FS, t *tree, used map[string]bool) {
	s := source{name: "manifests"}
	for _, file := range t.manifests {
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

// markers makes one source of the Go files.
func (m *Manifests) markers(fsys fs.FS, t *tree) {
	m.generated = source{name: "kubebuilder markers", ofMarkers: true}
	for _, file := range t.sources {
		if !t.nested(file) {
			m.generated.add(load(fsys, file, markers))
		}
	}
}

func load(fsys fs.FS, file string, decode func(string, []byte) ([]*object, error)) ([]*object, error) {
	text, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, err
	}
	return decode(file, text)
}

func (s *source) add(objects []*object, err error) {
	s.objects = append(s.objects, objects...)
	if s.err == nil {
		s.err = err
	}
}

func (s *source) empty() bool { return s.err == nil && !slices.ContainsFunc(s.objects, isRBAC) }

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
	text := fmt.Sprintf("no RBAC found in %d files: kustomizations, manifests (*.yaml, *.yml, *.json) and "+
		"kubebuilder markers (*.go) are read", m.files)
	return text + unread(m.notes)
}
