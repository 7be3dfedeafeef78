// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/report"
)

// manifests plans the RBAC of every main module, with the code as rewritten. That of one may be kept in another.
func (m *migration) manifests() error {
	granted := false
	missing := map[string]manifest.Finding{}
	for _, module := range m.project.Modules {
		result, err := m.manifestsOf(module)
		if err != nil {
			return err
		}
		granted = granted || result.Grants
		if result.Missing != nil {
			missing[module.Dir] = *result.Missing
		}
	}
	if !granted {
		for dir, finding := range missing {
			m.rbac(dir, finding)
		}
	}
	return nil
}

func (m *migration) manifestsOf(module load.Module) (manifest.Result, error) {
	facts, writes, err := m.facts(module)
	if err != nil {
		return manifest.Result{}, err
	}
	if !writes {
		m.note("the RBAC of %s is left as it is, since nothing there writes through events.k8s.io", module.Path)
		return manifest.Result{}, nil
	}
	root := overlay{FS: os.DirFS(module.Dir), files: map[string][]byte{}}
	for _, file := range m.report.Files {
		if name, err := filepath.Rel(module.Dir, file.Name); err == nil && filepath.IsLocal(name) {
			root.files[filepath.ToSlash(name)] = file.After
		}
	}
	result, err := manifest.Plan(root, facts)
	if err != nil {
		return result, err
	}
	for _, finding := range result.Findings {
		m.rbac(module.Dir, finding)
	}
	for _, edit := range result.Edits {
		m.edited(filepath.Join(module.Dir, filepath.FromSlash(edit.Path)), edit)
	}
	return result, nil
}

// rbac adds a finding about the RBAC of the module in a directory.
func (m *migration) rbac(dir string, finding manifest.Finding) {
	place := report.Place{
		Rule: "rbac", Status: report.Human, File: m.relative(filepath.Join(dir, filepath.FromSlash(finding.Path))),
		Line: finding.Line, Message: finding.Message,
	}
	if finding.Changed {
		place.Status = report.Rewritten
	} else if finding.Kept {
		place.Status = report.Kept
	}
	m.report.Manifests = append(m.report.Manifests, place)
}

// edited adds an edited file. A file that is rewritten already gets its new text.
func (m *migration) edited(name string, edit manifest.Edit) {
	for i, file := range m.report.Files {
		if file.Name == name {
			m.report.Files[i].After = edit.After
			return
		}
	}
	m.file(report.File{Name: name, Before: edit.Before, After: edit.After})
}

// overlay has the text of files as they will be written. That is what fs.ReadFile looks at.
type overlay struct {
	fs.FS
	files map[string][]byte
}

// ReadFile implements fs.ReadFileFS.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if text, found := o.files[name]; found {
		return slices.Clone(text), nil
	}
	return fs.ReadFile(o.FS, name)
}
