// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// document is one of the YAML documents of a file.
type document struct {
	source string // as it is in the file
	text   string // what is parsed: source with the template actions masked
	offset int    // of both in the file
	first  int    // the line of the file that they begin with
	blocks *blocks
	root   *yaml.Node
	lines  []int // the offsets of the lines of text
}

// parse reads text as one document.
func parse(text string) (*yaml.Node, error) {
	decoder, root := yaml.NewDecoder(strings.NewReader(text)), &yaml.Node{}
	if err := decoder.Decode(root); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	// What follows a document in braces is left to the next call. A template action can look like such a document.
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the end of the document")
	}
	return root, nil
}

func (d *document) parse() (err error) {
	d.root, err = parse(d.text)
	d.lines = lineStarts(d.text)
	return err
}

// lineStarts returns the offsets of the lines of text.
func lineStarts(text string) []int {
	starts := []int{0}
	for offset := 0; offset < len(text); {
		offset += rbacfile.LineLength(text[offset:])
		starts = append(starts, offset)
	}
	return starts
}

// at is the offset of n in d. The parser counts columns in characters.
func (d *document) at(n *yaml.Node) int {
	offset := d.lines[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(d.text[offset:])
		offset += size
	}
	return offset
}

// block is the path of the template's blocks around n.
func (d *document) block(n *yaml.Node) string { return d.blocks.blockAt(d.offset + d.at(n)) }

// line is the line of the file that n begins in.
func (d *document) line(n *yaml.Node) int { return d.first + n.Line - 1 }

// rest is what the file has between n and the end of its line.
func (d *document) rest(n *yaml.Node) string {
	text := d.source[d.at(n):]
	return strings.TrimRight(text[:rbacfile.LineLength(text)], "\r\n")
}

// end returns the offset after n. It returns an error for nodes in which the end is hard to find.
func (d *document) end(n *yaml.Node) (int, error) {
	start := d.at(n)
	text := d.text[start:]
	switch {
	case n.Kind == yaml.AliasNode:
		return start + len("*") + len(n.Value), nil
	case n.Style&yaml.FlowStyle != 0:
		return closing(d.text, start)
	case len(n.Content) > 0:
		return d.end(n.Content[len(n.Content)-1])
	case n.Kind == yaml.ScalarNode && text != "" && (text[0] == '"' || text[0] == '\''):
		return start + quotedLength(text), nil
	case n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value != "" && strings.HasPrefix(text, n.Value):
		return start + len(n.Value), nil
	}
	return 0, errors.New("a value with an anchor, a tag or many lines is in the way")
}

// closing returns the offset after the bracket that closes the one at start.
func closing(text string, start int) (int, error) {
	depth := 0
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		case c == '"' || c == '\'':
			if strings.ContainsRune("[{,: \t\r\n", rune(text[i-1])) {
				i += quotedLength(text[i:]) - 1
			}
		case c == '#' && strings.ContainsRune(" \t\r\n", rune(text[i-1])):
			i += rbacfile.LineLength(text[i:]) - 1
		}
	}
	return 0, errors.New("a bracket is not closed")
}

// quotedLength is the length of the quoted scalar that text begins with.
func quotedLength(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] == quote && quote == '\'' && strings.HasPrefix(text[i+1:], "'"):
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return len(text)
}

// documents splits a file. What is parsed is text, which has the same length as source.
func documents(source, text string, cuts ...int) []*document {
	var all []*document
	for _, d := range rbacfile.Split(text, cuts...) {
		all = append(all, &document{
			source: source[d.Start:d.End], text: text[d.Start:d.End], offset: d.Start, first: d.Line,
		})
	}
	return all
}
