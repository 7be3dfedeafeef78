// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

const markerPrefix = "+kubebuilder:rbac:"

// marker is a comment that controller-gen makes a rule of: in a ClusterRole, or in a Role if it names a namespace.
type marker struct {
	namespace, role string
	rule            rbacv1.PolicyRule
}

// markers returns a role for each marker in a Go file. As for controller-gen, a marker is a line comment that is
// neither in a declaration nor in its doc comment.
func markers(file string, text []byte) ([]*object, error) {
	if !bytes.Contains(text, []byte(markerPrefix)) {
		return nil, nil
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if parsed == nil {
		return nil, err
	}
	var objects []*object
	for _, group := range parsed.Comments {
		if hidden(parsed, group) {
			continue
		}
		for _, comment := range group.List {
			line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
			body, isMarker := strings.CutPrefix(line, markerPrefix)
			if !isMarker {
				continue
			}
			at := position{file: file, line: fset.Position(comment.Pos()).Line}
			m, err := parseMarker(body)
			if err != nil {
				return nil, fmt.Errorf("%v: marker %s%s: %w", at, markerPrefix, body, err)
			}
			objects = append(objects, m.object(at))
		}
	}
	return objects, nil
}

// hidden reports whether controller-gen does not look at group for what describes a whole package.
func hidden(file *ast.File, group *ast.CommentGroup) bool {
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

// object is the role that controller-gen makes for m alone.
func (m *marker) object(at position) *object {
	o := &object{Kind: kindClusterRole, Rules: []rbacv1.PolicyRule{m.rule}, at: at, marker: m}
	if m.namespace != "" {
		o.Kind, o.Metadata.Namespace = kindRole, m.namespace
	}
	return o
}

// parseMarker reads the arguments of a marker, as in groups=apps;batch,verbs={get,"list"},namespace=shop.
func parseMarker(text string) (*marker, error) {
	args, err := arguments(text)
	if err != nil {
		return nil, err
	}
	if len(args["verbs"]) == 0 {
		return nil, fmt.Errorf("no verbs")
	}
	groups := slices.Clone(args["groups"])
	for i := range groups {
		if groups[i] == "core" {
			groups[i] = ""
		}
	}
	return &marker{
		namespace: strings.Join(args["namespace"], ""),
		role:      strings.Join(args["roleName"], ""),
		rule: rbacv1.PolicyRule{
			APIGroups: groups, Resources: args["resources"], ResourceNames: args["resourceNames"],
			NonResourceURLs: args["urls"], Verbs: args["verbs"],
		},
	}, nil
}

// arguments splits name=value,name=value into lists of strings.
func arguments(text string) (map[string][]string, error) {
	args := map[string][]string{}
	for text = strings.TrimSpace(text); text != ""; {
		name, rest, found := strings.Cut(text, "=")
		if !found {
			return nil, fmt.Errorf("no value in %q", text)
		}
		values, rest, err := list(rest)
		if err != nil {
			return nil, err
		}
		args[strings.TrimSpace(name)] = values
		text = strings.TrimSpace(strings.TrimPrefix(rest, ","))
	}
	return args, nil
}

// list reads a;b or {a,b} from the front of text, up to a comma.
func list(text string) (values []string, rest string, err error) {
	rest, braced := strings.CutPrefix(strings.TrimSpace(text), "{")
	separator, end := ";", ","
	if braced {
		separator, end = ",", "}"
	}
	for more := true; more; rest, more = strings.CutPrefix(rest, separator) {
		if rest = strings.TrimSpace(rest); rest == "" || rest[:1] == end {
			break
		}
		value := ""
		if value, rest, err = word(rest); err != nil {
			return nil, "", err
		}
		values = append(values, value)
	}
	if braced {
		if rest, braced = strings.CutPrefix(rest, "}"); !braced {
			return nil, "", fmt.Errorf("no closing brace")
		}
		rest = strings.TrimSpace(rest)
	}
	if rest != "" && rest[0] != ',' {
		return nil, "", fmt.Errorf("a comma is missing before %q", rest)
	}
	return values, rest, nil
}

// word reads a Go string or plain text from the front of text, and the space that follows.
func word(text string) (value, rest string, err error) {
	if text != "" && (text[0] == '"' || text[0] == '`') {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", fmt.Errorf("a string has no end: %s", text)
		}
		value, err = strconv.Unquote(quoted)
		return value, strings.TrimSpace(text[len(quoted):]), err
	}
	end := strings.IndexAny(text, ",;}")
	if end < 0 {
		end = len(text)
	}
	return strings.TrimSpace(text[:end]), text[end:], nil
}
