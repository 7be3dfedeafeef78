// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// document is one of the YAML documents of a file.
type document struct {
	source string // as it is in the file
	text   string // what is parsed: of the same length, and equal but for template actions
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
	// The decoder leaves what follows a document in braces, as a template action can look like, to its next call.
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
		offset += lineLength(text[offset:])
		starts = append(starts, offset)
	}
	return starts
}

// lineLength is the length of the first line of text, with its end. It knows all the line ends that YAML does.
func lineLength(text string) int {
	for i, r := range text {
		switch r {
		case '\r':
			if strings.HasPrefix(text[i:], "\r\n") {
				return i + 2
			}
			fallthrough
		case '\n', '\u0085', '\u2028', '\u2029':
			return i + utf8.RuneLen(r)
		}
	}
	return len(text)
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

// line is the line of the file that n begins in.
func (d *document) line(n *yaml.Node) int { return d.first + n.Line - 1 }

// rest is what the file has between n and the end of its line.
func (d *document) rest(n *yaml.Node) string {
	text := d.source[d.at(n):]
	return strings.TrimRight(text[:lineLength(text)], "\r\n")
}

// end returns the offset after n. It is an error if n is of a kind that no rule has use for.
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
			i += lineLength(text[i:]) - 1
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

// documents splits a file where YAML does, and at the cuts, which are offsets of lines.
func documents(source, text string, cuts []int) []*document {
	var all []*document
	start := len(source) - len(strings.TrimPrefix(source, "\ufeff"))
	ended := false // by the line before
	for end, first, line := start, 1, 1; ; line++ {
		next := text[end:]
		ends := next == "" || ended || marks(next, "---")
		for len(cuts) > 0 && cuts[0] <= end {
			ends, cuts = true, cuts[1:]
		}
		if ends && end > start {
			all = append(all, &document{source: source[start:end], text: text[start:end], offset: start, first: first})
			start, first = end, line
		}
		if next == "" {
			return all
		}
		ended = marks(next, "...")
		end += lineLength(next)
	}
}

// marks reports whether text begins with a line that separates documents.
func marks(text, separator string) bool {
	rest, found := strings.CutPrefix(text, separator)
	return found && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

var parserLine = regexp.MustCompile(`line (\d+): `)

// cause says in which line a parser met an error, and what it was. The text that was parsed begins in line first.
func cause(err error, first int) (line int, what string) {
	what = strings.TrimPrefix(err.Error(), "yaml: ")
	found := parserLine.FindStringSubmatch(what)
	if found == nil {
		return first, what
	}
	number, err := strconv.Atoi(found[1])
	if err != nil {
		return first, what
	}
	return first + number - 1, strings.Replace(what, found[0], "", 1)
}
