// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Format is how a file writes roles.
type Format string

// The formats, as people read them.
const (
	YAML     Format = "YAML"
	Template Format = "templates"
	Jsonnet  Format = "jsonnet"
	Go       Format = "Go code"
)

// File is what was read of a file.
type File struct {
	Format   Format
	Roles    []*Role
	Bindings []Binding
}

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
// not parse as YAML is read as a template if it has actions, and otherwise is an error.
func Read(name, text string) (File, error) {
	file := File{Format: Formatted(name)}
	switch file.Format {
	case Go:
		file.Roles = rolesOfGo(text)
	case Jsonnet:
		file.Roles = rolesOfJsonnet(text)
	case Template:
		file.readTemplate(text)
	default:
		file.Format = YAML
		found, err := parse(text)
		switch {
		case err == nil:
			file.Roles, file.Bindings = found.roles, found.bindings
		case strings.Contains(text, "{{"):
			file.readTemplate(text)
		default:
			return File{}, err
		}
	}
	file.Roles = slices.DeleteFunc(file.Roles, func(role *Role) bool { return !role.grants() })
	generated, chart := saysGenerated(text), ""
	if file.Format == Template {
		chart = chartOf(name)
	}
	for i := range file.Bindings {
		file.Bindings[i].chart = chart
	}
	for _, role := range file.Roles {
		role.File, role.Format, role.Generated, role.chart = name, file.Format, generated, chart
		if len(role.rules) > 0 {
			role.Line = role.lines[max(0, role.about())]
		}
		if file.Format == Template {
			role.formOfLines(strings.Split(text, "\n"))
		}
	}
	return file, nil
}

// readTemplate reads a text with actions.
func (f *File) readTemplate(text string) {
	text = withoutRemarks(text)
	f.Format, f.Roles, f.Bindings = Template, rolesOfTemplate(text), bindingsOfTemplate(text)
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
