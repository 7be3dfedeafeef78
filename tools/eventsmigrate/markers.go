// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/load"
	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/manifest"
)

// markers are the kubebuilder markers of modules, each of which is read once.
type markers struct {
	*job
	modules map[string][]manifest.Marker // by directory
}

// remedy says what to do about a role that something makes again, so that an edit of it would be undone. It is empty for others.
func (m *markers) remedy(role *manifest.Role) (string, error) {
	if role.Generated {
		return "It is generated, as its file says, and is not edited: add the rule where it comes from", nil
	}
	module := moduleOf(role.File)
	if role.Format != manifest.YAML || module == "" {
		return "", nil
	}
	before, err := m.in(module)
	if err != nil {
		return "", err
	}
	text, err := m.textBefore(role.File)
	if err != nil {
		return "", err
	}
	after, changed := manifest.Extended(before, func(string) bool { return true })
	var files []string
	for _, i := range changed {
		files = append(files, before[i].File)
	}
	if regenerated(text, above(module, files), before, after) == text {
		return "", nil
	}
	first := before[changed[0]]
	return fmt.Sprintf("controller-gen makes it of kubebuilder markers, so it is not edited: run eventsmigrate ./..., which edits "+
		"both, or change the marker (%s:%d) and run controller-gen", m.slashed(first.File), first.Line), nil
}

// in returns the markers of a module.
func (m *markers) in(module string) (all []manifest.Marker, err error) {
	if known, ok := m.modules[module]; ok {
		return known, nil
	}
	err = load.Walk(module, skipsInModule, func(name string) error {
		if !strings.HasSuffix(name, ".go") || load.IsTest(name) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), "+kubebuilder:rbac:") {
			all = append(all, manifest.Markers(name, string(text))...)
		}
		return err
	})
	m.modules[module] = all
	return all, err
}

// moduleOf returns the directory of the module that a file is in, or "". Standard input is in none.
func moduleOf(name string) string {
	if name == standardInput {
		return ""
	}
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
