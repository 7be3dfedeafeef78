// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const markerPrefix = "+kubebuilder:rbac:"

// marker is a comment that controller-gen makes a rule of.
type marker struct {
	args []argument
	rule rule
	role identity
}

// identity is the role that a marker's rule goes to: a Role if it names a namespace, else a ClusterRole.
type identity struct{ namespace, role string }

// argument is a name=value of a marker. Its parts joined are its text.
type argument struct {
	comma, head, value string // what is before the name, the name with its equals sign, the value with its quotes
	name               string
	values             []string
}

// parseMarker reads what follows the prefix, as in groups=apps;batch,verbs={get,"list"},namespace=shop.
func parseMarker(text string) (*marker, error) {
	m := &marker{}
	for rest := text; strings.Trim(rest, ", \t") != ""; {
		arg, after, err := parseArgument(rest)
		if err != nil {
			return nil, err
		}
		m.args, rest = append(m.args, arg), after
		switch arg.name {
		case "groups":
			m.rule.groups = slices.Clone(arg.values)
			for i, group := range m.rule.groups {
				if group == "core" {
					m.rule.groups[i] = ""
				}
			}
		case "resources":
			m.rule.resources = arg.values
		case "resourceNames":
			m.rule.names = arg.values
		case "verbs":
			m.rule.verbs = arg.values
		case "namespace":
			m.role.namespace = strings.Join(arg.values, "")
		case "roleName":
			m.role.role = strings.Join(arg.values, "")
		}
	}
	return m, nil
}

func parseArgument(text string) (arg argument, rest string, err error) {
	name := strings.TrimLeft(text, ", \t")
	arg.comma = text[:len(text)-len(name)]
	head, rest, found := strings.Cut(name, "=")
	if !found {
		return arg, "", fmt.Errorf("no value in %q", name)
	}
	arg.name = strings.TrimSpace(head)
	value := strings.TrimLeft(rest, " \t")
	arg.head = name[:len(name)-len(value)]
	arg.values, rest, err = parseList(value)
	arg.value = strings.TrimRight(value[:len(value)-len(rest)], " \t")
	return arg, value[len(arg.value):], err
}

// parseList reads a;b or {a,b} from the front of text, up to a comma.
func parseList(text string) (values []string, rest string, err error) {
	rest, braced := strings.CutPrefix(text, "{")
	separator, end := ";", ","
	if braced {
		separator, end = ",", "}"
	}
	for more := true; more; rest, more = strings.CutPrefix(rest, separator) {
		if rest = strings.TrimLeft(rest, " \t"); rest == "" || rest[:1] == end {
			break
		}
		value := ""
		if value, rest, err = parseWord(rest); err != nil {
			return nil, "", err
		}
		values = append(values, value)
	}
	if braced {
		if rest, braced = strings.CutPrefix(rest, "}"); !braced {
			return nil, "", fmt.Errorf("no closing brace")
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	if rest != "" && rest[0] != ',' {
		return nil, "", fmt.Errorf("a comma is missing before %q", rest)
	}
	return values, rest, nil
}

// parseWord reads a Go string or plain text from the front of text, and the space that follows.
func parseWord(text string) (value, rest string, err error) {
	if text[0] == '"' || text[0] == '`' {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", fmt.Errorf("a string has no end: %s", text)
		}
		value, err = strconv.Unquote(quoted)
		return value, strings.TrimLeft(text[len(quoted):], " \t"), err
	}
	end := strings.IndexAny(text, ",;}")
	if end < 0 {
		end = len(text)
	}
	return strings.TrimSpace(text[:end]), text[end:], nil
}

// successor is the marker that grants the new group to the same role, in the style of m.
func (m *marker) successor() string {
	quoted := false
	for _, arg := range m.args {
		quoted = quoted || arg.name == "resources" && arg.quoted()
	}
	var text strings.Builder
	for _, arg := range m.args {
		switch arg.name {
		case "groups":
			arg.set(quoted, newGroup)
		case "resources":
			arg.set(quoted, resource)
		case "verbs":
			arg.set(arg.quoted(), create, patch)
		case "namespace", "roleName":
		default:
			continue // it narrows the rule, which would not do
		}
		if text.Len() > 0 {
			text.WriteString(arg.comma)
		}
		text.WriteString(arg.head + arg.value)
	}
	return text.String()
}

func (a *argument) quoted() bool { return strings.Contains(a.value, `"`) }

func (a *argument) set(quoted bool, values ...string) {
	if quoted {
		for i := range values {
			values[i] = strconv.Quote(values[i])
		}
	}
	if strings.HasPrefix(a.value, "{") {
		a.value = "{" + strings.Join(values, ",") + "}"
		return
	}
	a.value = strings.Join(values, ";")
}
