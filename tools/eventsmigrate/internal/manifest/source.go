// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// comment is a marker at its place in a Go file.
type comment struct {
	*marker
	file   string
	line   int
	prefix string // what is before the marker's arguments in its line
	end    int    // the offset after the line
}

// markers gives the roles that the markers of one package make access to the new group. The package is the largest set
// of files of which it is known that controller-gen sees them together: a module may make several roles, each of some
// of its packages, and a marker too many does nothing.
func (p *planner) markers(files []string) {
	texts, all := map[string]string{}, []comment{}
	for _, name := range files {
		text, ok := p.read(name)
		if !ok || !strings.Contains(text, markerPrefix) {
			continue
		}
		found, ok := p.comments(name, text)
		if texts[name] = text; ok {
			all = append(all, found...)
		}
	}
	granted := map[identity][]rule{}
	for _, c := range all {
		granted[c.role] = append(granted[c.role], c.rule)
	}
	added, kept := map[string][]comment{}, map[identity]bool{}
	for _, c := range all {
		if p.marked.Path == "" {
			p.marked = Finding{Path: c.file, Line: c.line}
		}
		p.mentions = p.mentions || c.rule.records("") || c.rule.records(newGroup)
		if !c.rule.records("") {
			continue
		}
		if !allows(granted[c.role], newGroup) {
			granted[c.role] = append(granted[c.role], recording)
			added[c.file] = append(added[c.file], c)
			p.changed(c.file, c.line, "marker added: %s%s", markerPrefix, c.successor())
		}
		if !kept[c.role] {
			kept[c.role] = true
			p.kept(c.file, c.line, "the marker for core/v1")
		}
	}
	for _, name := range files {
		p.source(name, texts[name], added[name])
	}
}

// comments returns the markers of a file.
func (p *planner) comments(name, text string) ([]comment, bool) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		line, what := 0, err.Error()
		var list scanner.ErrorList
		if errors.As(err, &list) {
			line, what = list[0].Pos.Line, list[0].Msg
		}
		p.human(name, line, "cannot be parsed, so its markers are not migrated: %s", what)
		return nil, false
	}
	var all []comment
	for _, group := range parsed.Comments {
		if hidden(parsed, group) {
			continue
		}
		for _, c := range group.List {
			found, err := place(text, fset.PositionFor(c.Pos(), false))
			if err != nil {
				p.human(name, found.line, "%v", err)
			} else if found.marker != nil {
				all = append(all, found)
			}
		}
	}
	return all, true
}

// place reads the marker that the comment at a position may be. The text of the file is what counts: the parser leaves
// out carriage returns.
func place(text string, at token.Position) (comment, error) {
	c := comment{file: at.Filename, line: at.Line, end: len(text)}
	line, _, found := strings.Cut(text[at.Offset:], "\n")
	if found {
		c.end = at.Offset + len(line) + 1
	}
	before, body, found := strings.Cut(strings.TrimRight(line, "\r \t"), markerPrefix)
	if !found || strings.TrimSpace(before) != "//" {
		return c, nil
	}
	m, err := parseMarker(body)
	if err != nil {
		return c, fmt.Errorf("cannot read the marker %s%s: %w", markerPrefix, body, err)
	}
	indent := text[strings.LastIndexByte(text[:at.Offset], '\n')+1 : at.Offset]
	if strings.TrimSpace(indent) != "" {
		indent = "" // the comment follows code
	}
	c.marker, c.prefix = m, indent+before+markerPrefix
	return c, nil
}

// hidden reports whether controller-gen does not look at group for what describes a whole package: comments in a
// declaration, or in its doc comment.
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

// source writes the successors of markers behind them.
func (p *planner) source(name, text string, after []comment) {
	slices.SortFunc(after, func(a, b comment) int { return cmp.Compare(b.end, a.end) })
	edited := text
	for _, c := range after {
		edited = insert(edited, c.end, c.prefix+c.successor()+lineEnd(text))
	}
	p.edit(name, text, edited)
}

// insert puts a whole line at an offset, which is that of a line or the end of a text without a last line end.
func insert(text string, at int, line string) string {
	if before := text[:at]; before != "" && !strings.HasSuffix(before, "\n") {
		end := lineEnd(text)
		line = end + strings.TrimSuffix(line, end)
	}
	return text[:at] + line + text[at:]
}

// lineEnd is how the first line of text ends.
func lineEnd(text string) string {
	if line, _, found := strings.Cut(text, "\n"); found && strings.HasSuffix(line, "\r") {
		return "\r\n"
	}
	return "\n"
}
