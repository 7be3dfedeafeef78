// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"path/filepath"
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
		file.Roles = rolesOfTemplate(text)
	default:
		file.Format = YAML
		found, err := parse(text)
		switch {
		case err == nil:
			file.Roles, file.Bindings = found.roles, found.bindings
		case strings.Contains(text, "{{"):
			file.Format, file.Roles = Template, rolesOfTemplate(text)
		default:
			return File{}, err
		}
	}
	file.Roles = slices.DeleteFunc(file.Roles, func(role *Role) bool { return !role.grants() })
	for _, role := range file.Roles {
		role.File, role.Format = name, file.Format
		if len(role.rules) > 0 {
			role.Line = role.lines[max(0, role.about())]
		}
		if file.Format == Template {
			role.formOfLines(strings.Split(text, "\n"))
		}
	}
	return file, nil
}
