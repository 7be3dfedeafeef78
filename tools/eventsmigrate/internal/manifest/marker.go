// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// Marker is a kubebuilder marker for RBAC.
type Marker struct {
	File string
	Line int

	rule  rule
	role  string // with the namespace: which role it goes to
	scope string // the arguments that say so, as written, each after a comma
	text  string // the line
}

var (
	markerLine = regexp.MustCompile(`^//\s*\+kubebuilder:rbac:(.*)$`)
	argument   = regexp.MustCompile("\\s*(\\w+)\\s*=\\s*(\\{[^}]*\\}|(?:\"[^\"]*\"|`[^`]*`|[^,\"`])*),?")
	value      = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|[^;,{}\"`\\s]+")
)

// Markers returns the markers in a Go file that controller-gen reads: those outside of declarations and their comments. A
// file that cannot be parsed has none.
func Markers(name, text string) (all []Marker) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	for _, group := range file.Comments {
		if slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool { return belongs(group, decl) }) {
			continue
		}
		for _, comment := range group.List {
			if found := markerLine.FindStringSubmatch(strings.TrimSpace(comment.Text)); found != nil {
				line := fset.PositionFor(comment.Pos(), false).Line
				m := Marker{File: name, Line: line, rule: rule{}, text: lines[line-1]}
				m.read(found[1])
				all = append(all, m)
			}
		}
	}
	return all
}

func belongs(group *ast.CommentGroup, decl ast.Decl) bool {
	if decl.Pos() <= group.Pos() && group.End() <= decl.End() {
		return true
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		return decl.Doc == group
	case *ast.GenDecl:
		return decl.Doc == group
	}
	return false
}

// markerKeys are the fields of rules by the names that markers have for them.
var markerKeys = map[string]string{
	"groups": "apiGroups", "resources": "resources", "verbs": "verbs", "resourceNames": "resourceNames", "urls": "nonResourceURLs",
}

func (m *Marker) read(text string) {
	for _, found := range argument.FindAllStringSubmatch(text, -1) {
		key, given := found[1], found[2]
		if key == "namespace" || key == "roleName" {
			m.scope += "," + key + "=" + given
			m.role += " " + key + "=" + strings.Trim(given, "\"`")
			continue
		}
		for _, v := range value.FindAllString(given, -1) {
			v = strings.Trim(v, "\"`")
			if key == "groups" && v == "core" {
				v = ""
			}
			m.rule[markerKeys[key]] = append(m.rule[markerKeys[key]], v)
		}
	}
}

// RoleOf returns what the markers of a module grant together, or nil if there are none. controller-gen makes a Role of those with a
// namespace.
func RoleOf(markers []Marker) *Role {
	if len(markers) == 0 {
		return nil
	}
	all := &Role{Format: Kubebuilder, Kind: kindRole, Name: "of kubebuilder markers"}
	for _, m := range markers {
		all.add(m.rule, m.Line)
		if m.rule.records() && !strings.Contains(m.scope, "namespace=") {
			all.Kind = kindClusterRole
		}
	}
	all.locate()
	all.File = markers[max(0, all.about())].File
	return all
}

// Extended returns the markers after those that record Events in the packages that are reached may record those of
// events.k8s.io, unless the markers for the same role do so already. The indices are those that changed.
func Extended(markers []Marker, reached func(file string) bool) (after []Marker, changed []int) {
	roles := map[string][]rule{}
	for _, m := range markers {
		roles[m.role] = append(roles[m.role], m.rule)
	}
	after = slices.Clone(markers)
	for i, m := range markers {
		if m.rule.records() && len(lacking(roles[m.role], newGroup)) > 0 && reached(m.File) {
			after[i].extend()
			changed = append(changed, i)
		}
	}
	return after, changed
}

// Granted returns which of the verbs that a recorder needs the marker grants, on Events of core/v1 or, if it grants none
// there, on those of events.k8s.io.
func (m Marker) Granted() (group string, verbs []string) {
	if verbs := granted([]rule{m.rule}, "", recordingVerbs); len(verbs) > 0 {
		return "core/v1", verbs
	}
	return newGroup, granted([]rule{m.rule}, newGroup, recordingVerbs)
}

var groupsOf = regexp.MustCompile("(groups\\s*=\\s*)(core|\"\"|``)(\\s*(?:,|$))")

// extend adds the group to the marker if it is about nothing but Events of core/v1 and has the verbs that a recorder needs,
// and a marker behind it otherwise.
func (m *Marker) extend() {
	if slices.Equal(m.rule["apiGroups"], []string{""}) && slices.Equal(m.rule["resources"], []string{resource}) &&
		len(lacking([]rule{m.rule}, "")) == 0 && groupsOf.MatchString(m.text) {
		m.text = groupsOf.ReplaceAllString(m.text, "${1}${2};"+newGroup+"${3}")
	} else {
		head, _, _ := strings.Cut(m.text, "rbac:")
		m.text = strings.TrimSuffix(m.text, "\r") + "\n" + head[strings.LastIndex(head, "//"):] + "rbac:groups=" + newGroup +
			",resources=" + resource + ",verbs=" + strings.Join(recordingVerbs, ";") + m.scope
	}
}

// Edit returns the text of a Go file with the changed markers of that file.
func Edit(text string, markers []Marker) string {
	lines := strings.Split(text, "\n")
	for _, m := range markers {
		lines[m.Line-1] = m.text
	}
	return strings.Join(lines, "\n")
}
