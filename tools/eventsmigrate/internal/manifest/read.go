// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Format is how a file writes roles.
type Format string

// The formats, as people read them.
const (
	YAML        Format = "YAML"
	Template    Format = "templates"
	Jsonnet     Format = "jsonnet"
	Go          Format = "Go code"
	GoString    Format = "strings of Go code"
	Kubebuilder Format = "kubebuilder markers"
)

// File is what was read of a file.
type File struct {
	Format   Format
	Roles    []*Role
	Bindings []Binding

	bundled bool // there are objects that nobody writes into the file of a role
	built   bool // operator-sdk has made the file
}

// hasRole matches the kind of a role in a manifest.
var hasRole = regexp.MustCompile(`(?m)^\s*-?\s*"?kind"?:\s*"?(Cluster)?Role"?\s*,?$`)

// HasRole reports whether a text has a role, although perhaps it cannot be parsed.
func HasRole(text string) bool { return hasRole.MatchString(text) }

// Formatted returns the format by the name of a file, or "" if files of that name have no roles. A template is YAML by
// its name, too.
func Formatted(name string) Format {
	switch filepath.Ext(name) {
	case ".yaml", ".yml":
		return YAML
	case ".tpl", ".tmpl", ".gotmpl":
		return Template
	case ".jsonnet", ".libsonnet":
		return Jsonnet
	case ".go":
		return Go
	}
	return ""
}

// Read reads the roles and bindings in a file. The format is that of its name; a file without one is YAML. What does
// not parse as YAML is read as a template if it has actions, and otherwise is an error, as is Go code that may have roles and
// does not parse. Markers are read by themselves.
func Read(name, text string) (File, error) {
	file := File{Format: Formatted(name)}
	switch file.Format {
	case Go:
		if err := file.readGo(name, text); err != nil {
			return File{}, err
		}
	case Jsonnet:
		file.Roles = rolesOfJsonnet(text)
	case Template:
		file.readTemplate(text)
	default:
		if err := file.readYAML(text); err != nil {
			return File{}, err
		}
	}
	file.Roles = slices.DeleteFunc(file.Roles, func(role *Role) bool { return !role.grants() })
	file.place(name, saysGenerated(text))
	return file, nil
}

// place says of the roles and bindings where they are.
func (f *File) place(name string, generated bool) {
	chart := ""
	switch f.Format {
	case Template:
		chart = chartOf(name)
	case Go:
		chart = name
	}
	for i := range f.Bindings {
		f.Bindings[i].chart = chart
	}
	for _, role := range f.Roles {
		role.locate()
		role.File, role.chart, role.bundled = name, chart, f.bundled
		role.Format = cmp.Or(role.Format, f.Format)
		role.Generated = generated || f.built && role.inCSV
	}
}

// readYAML reads a text that is YAML, or a template of it.
func (f *File) readYAML(text string) error {
	found, err := parse(text)
	switch {
	case err == nil:
		f.Format, f.Roles, f.Bindings, f.bundled, f.built = YAML, found.roles, found.bindings, found.bundled, found.built
	case strings.Contains(text, "{{"):
		f.readTemplate(text)
	default:
		return err
	}
	return nil
}

// readTemplate reads a text with actions.
func (f *File) readTemplate(text string) {
	lines := strings.Split(text, "\n")
	text = withoutRemarks(text)
	f.Format, f.Roles, f.Bindings = Template, rolesOfTemplate(text), bindingsOfTemplate(text)
	for _, role := range f.Roles {
		role.formOfLines(lines)
	}
}

// headLines is in how many lines a file may say that it is generated. A license may stand before that.
const headLines = 25

var (
	isGenerated = regexp.MustCompile(`(?i)generated`)
	isForbidden = regexp.MustCompile(`(?i)\b(do not|don't|not be) (manually )?(edit|modif|chang)`)
)

// saysGenerated reports whether a file says that it is generated, and that nobody must edit it.
func saysGenerated(text string) bool {
	lines := strings.SplitN(text, "\n", headLines+1)
	head := strings.Join(lines[:min(headLines, len(lines))], "\n")
	return isGenerated.MatchString(head) && isForbidden.MatchString(head)
}

// chartOf returns the directory of the templates of a chart that a file is in, or the directory of the file.
func chartOf(name string) string {
	dir := filepath.Dir(name)
	for above := dir; above != filepath.Dir(above); above = filepath.Dir(above) {
		if filepath.Base(above) == "templates" {
			return above
		}
	}
	return dir
}
