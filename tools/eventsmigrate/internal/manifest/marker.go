// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// newMarker is the marker to add where no other one shows how it is written.
const newMarker = rbacfile.MarkerPrefix + "groups=events.k8s.io,resources=events,verbs=create;patch"

// marker is a marker in a file.
type marker struct {
	rbacfile.Marker
	file string
}

// generatedRole identifies the role that a marker's rule goes to.
type generatedRole struct{ namespace, name string }

// code extends the roles that the markers and literals of one package make. For markers, the package is the largest set of
// files of which it is known that controller-gen sees them together: a module may make several roles, each of some of its
// packages, and a marker too many does nothing.
func (p *planner) code(files []string) {
	texts := map[string]string{}
	var all []marker
	for _, name := range files {
		if text, ok := p.read(name); ok {
			texts[name] = text
			all = append(all, p.markersIn(name, text)...)
		}
	}
	granted := map[generatedRole][]rbacfile.Rule{}
	for _, m := range all {
		granted[m.role()] = append(granted[m.role()], m.Rule)
	}
	added, kept := map[string][]marker{}, map[generatedRole]bool{}
	for _, m := range all {
		if p.marked.Path == "" {
			p.marked = Finding{Path: m.file, Line: m.Line}
		}
		p.hasRules = p.hasRules || records(m.Rule, "") || records(m.Rule, newGroup)
		if !records(m.Rule, "") {
			continue
		}
		if !allows(granted[m.role()], newGroup) {
			granted[m.role()] = append(granted[m.role()], recording)
			added[m.file] = append(added[m.file], m)
			p.changed(m.file, m.Line, "marker added: %s%s", rbacfile.MarkerPrefix, m.successor())
		}
		if !kept[m.role()] {
			kept[m.role()] = true
			p.kept(m.file, m.Line, "the marker for core/v1")
		}
	}
	for name, text := range texts {
		p.edit(name, text, apply(text, append(successors(text, added[name]), p.literals(name, text)...)))
	}
}

// markersIn returns the markers in a file that can be read, and reports the others.
func (p *planner) markersIn(name, text string) []marker {
	found, err := rbacfile.Markers(text)
	if err != nil {
		line, what := rbacfile.ErrorLine(err, 1)
		p.human(name, line, "cannot be parsed, so its markers are not migrated: %s", what)
		return nil
	}
	var all []marker
	for _, m := range found {
		if m.Err != nil {
			p.human(name, m.Line, "cannot read the marker %s%s: %v", rbacfile.MarkerPrefix, m.Text, m.Err)
			continue
		}
		all = append(all, marker{m, name})
	}
	return all
}

func (m marker) role() generatedRole { return generatedRole{m.Namespace, m.RoleName} }

// successor is the text of the marker that grants the new group to the same role, in the style of m.
func (m marker) successor() string {
	quotesResources := slices.ContainsFunc(m.Args, func(arg rbacfile.Argument) bool {
		return arg.Name == "resources" && isQuoted(arg)
	})
	var text strings.Builder
	for _, arg := range m.Args {
		value := arg.Value
		switch arg.Name {
		case "groups":
			value = markerValue(arg, quotesResources, newGroup)
		case "resources":
			value = markerValue(arg, quotesResources, resource)
		case "verbs":
			value = markerValue(arg, isQuoted(arg), create, patch)
		case "namespace", "roleName":
		default:
			continue // it would narrow the rule
		}
		if text.Len() > 0 {
			text.WriteString(arg.Comma)
		}
		text.WriteString(arg.Head + value)
	}
	return text.String()
}

func isQuoted(arg rbacfile.Argument) bool { return strings.Contains(arg.Value, `"`) }

// markerValue writes values in braces if arg has them.
func markerValue(arg rbacfile.Argument, quote bool, values ...string) string {
	if quote {
		for i := range values {
			values[i] = strconv.Quote(values[i])
		}
	}
	if strings.HasPrefix(arg.Value, "{") {
		return "{" + strings.Join(values, ",") + "}"
	}
	return strings.Join(values, ";")
}

// successors writes the successor of each marker on a line behind it.
func successors(text string, markers []marker) []*insertion {
	var all []*insertion
	end := lineEnd(text)
	for _, m := range markers {
		line := m.Before + m.successor() + end
		if !strings.HasSuffix(text[:m.End], "\n") {
			line = end + strings.TrimSuffix(line, end) // the last line has no end
		}
		all = append(all, &insertion{offset: m.End, text: line})
	}
	return all
}

// lineEnd is how the first line of text ends.
func lineEnd(text string) string {
	if line, _, found := strings.Cut(text, "\n"); found && strings.HasSuffix(line, "\r") {
		return "\r\n"
	}
	return "\n"
}
