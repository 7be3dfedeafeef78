// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// MarkerPrefix begins a marker.
const MarkerPrefix = "+kubebuilder:rbac:"

// Marker is a comment that controller-gen makes a rule of: in a Role if it names a namespace, else in a ClusterRole.
type Marker struct {
	Line int    // the line of the file
	Text string // the arguments

	Rule                Rule
	Namespace, RoleName string
	Err                 error // what is wrong with Text
}

// Markers returns the markers in a Go file. As for controller-gen, a marker is a line comment that is neither in a
// declaration nor in its doc comment. The error is about the file's syntax; markers are found nevertheless.
func Markers(text string) ([]Marker, error) {
	if !strings.Contains(text, MarkerPrefix) {
		return nil, nil
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	var list scanner.ErrorList
	if errors.As(err, &list) {
		err = fmt.Errorf("line %d: %s", list[0].Pos.Line, list[0].Msg)
	}
	var all []Marker
	for _, group := range parsed.Comments {
		if inDeclaration(parsed, group) {
			continue
		}
		for _, c := range group.List {
			if m, found := markerAt(text, fset.PositionFor(c.Pos(), false)); found {
				m.Err = m.parse()
				all = append(all, m)
			}
		}
	}
	return all, err
}

// inDeclaration reports whether group is within a declaration or is its doc comment.
func inDeclaration(file *ast.File, group *ast.CommentGroup) bool {
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		var doc *ast.CommentGroup
		switch d := decl.(type) {
		case *ast.GenDecl:
			doc = d.Doc
		case *ast.FuncDecl:
			doc = d.Doc
		}
		return doc == group || decl.Pos() <= group.Pos() && group.Pos() < decl.End()
	})
}

// markerAt returns the marker that the comment at a position may be. It reads the text of the file, because the parser
// leaves out carriage returns.
func markerAt(text string, at token.Position) (m Marker, found bool) {
	line, _, _ := strings.Cut(text[at.Offset:], "\n")
	before, arguments, found := strings.Cut(strings.TrimRight(line, "\r \t"), MarkerPrefix)
	return Marker{Line: at.Line, Text: arguments}, found && strings.TrimSpace(before) == "//"
}

// parse reads the arguments, as in groups=apps;batch,verbs={get,"list"},namespace=shop.
func (m *Marker) parse() error {
	for rest := strings.TrimLeft(m.Text, ", \t"); rest != ""; rest = strings.TrimLeft(rest, ", \t") {
		name, value, found := strings.Cut(rest, "=")
		if !found {
			return fmt.Errorf("no value in %q", rest)
		}
		values, after, err := parseList(strings.TrimLeft(value, " \t"))
		if err != nil {
			return err
		}
		rest = after
		switch strings.TrimSpace(name) {
		case "groups":
			m.Rule.APIGroups = slices.Clone(values)
			for i, group := range m.Rule.APIGroups {
				if group == "core" {
					m.Rule.APIGroups[i] = ""
				}
			}
		case "resources":
			m.Rule.Resources = values
		case "resourceNames":
			m.Rule.ResourceNames = values
		case "urls":
			m.Rule.NonResourceURLs = values
		case "verbs":
			m.Rule.Verbs = values
		case "namespace":
			m.Namespace = strings.Join(values, "")
		case "roleName":
			m.RoleName = strings.Join(values, "")
		}
	}
	return nil
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
			return nil, "", errors.New("no closing brace")
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
