// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// template is a file with actions, as Helm's are. Its mask can be parsed as YAML, and has the file's offsets.
type template struct {
	mask   string
	blocks *blocks
	cuts   []int // where named templates begin and end
}

// placeholder stands for an action where a value is expected.
const placeholder = '_'

// isPlaceholder reports whether value has an action in it.
func isPlaceholder(value string) bool { return strings.Contains(value, "____") }

// blocks are the control blocks of a template. A rule in one of them may be absent when another one is there.
type blocks struct {
	changes []blockChange
	actions []action
}

// blockChange is an offset where the innermost block changes. The path names all blocks around what follows, from the
// outermost on, as in "1.0/4.1/".
type blockChange struct {
	offset int
	path   string
}

// blockAt returns the path of the blocks around offset.
func (b *blocks) blockAt(offset int) string {
	if b == nil {
		return ""
	}
	path := ""
	for _, c := range b.changes {
		if c.offset <= offset {
			path = c.path
		}
	}
	return path
}

// inAction reports whether offset is in an action.
func (b *blocks) inAction(offset int) bool {
	return b != nil && slices.ContainsFunc(b.actions, func(a action) bool { return a.start < offset && offset < a.end })
}

// action is what is in double braces.
type action struct {
	start, end int
	word       string // if, else, end and the like; "" if it prints something
}

var control = regexp.MustCompile(`^\{\{-?\s*(if|else|end|range|with|define|block|/\*)`)

// actions finds the actions of a text.
func actions(text string) ([]action, error) {
	var all []action
	for offset := 0; ; {
		start := strings.Index(text[offset:], "{{")
		if start < 0 {
			return all, nil
		}
		a := action{start: offset + start}
		if found := control.FindStringSubmatch(text[a.start:]); found != nil {
			a.word = found[1]
		}
		if a.end = actionEnd(text, a); a.end < 0 {
			line := 1 + strings.Count(text[:a.start], "\n")
			return nil, fmt.Errorf("line %d: a template action is not closed", line)
		}
		all, offset = append(all, a), a.end
	}
}

// actionEnd returns the offset after the action, -1 if it has no end. Strings and comments may hold braces.
func actionEnd(text string, a action) int {
	i := a.start + 2
	if a.word == "/*" {
		end := strings.Index(text[i:], "*/")
		if end < 0 {
			return -1
		}
		i += end + 2
	}
	for i < len(text) {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "}}"):
			return i + 2
		case c == '"' || c == '`' || c == '\'':
			i += literalLength(text[i:])
		default:
			i++
		}
	}
	return -1
}

// literalLength is the length of the Go string that text begins with.
func literalLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] != '`':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}

// mask makes YAML of a template. Lines of nothing but actions become comments, an action that prints something becomes
// a word, and a control action behind text becomes spaces. A control action in front of text becomes what no YAML has,
// because the column of the text is not known.
func mask(text string) (*template, error) {
	all, err := actions(text)
	if err != nil {
		return nil, err
	}
	bare := []byte(text)
	for _, a := range all {
		fill(bare, a, ' ')
	}
	masked := []byte(text)
	for _, a := range all {
		before, behind := besideAction(bare, a)
		switch {
		case before == "" && behind == "":
			fill(masked, a, '#')
		case a.word == "":
			fill(masked, a, placeholder)
		case before == "":
			fill(masked, a, '@')
		default:
			fill(masked, a, ' ')
		}
	}
	t := &template{mask: string(masked)}
	t.findBlocks(text, all)
	return t, nil
}

// fill overwrites an action, but not its line ends. A word ends with its first line.
func fill(text []byte, a action, with byte) {
	for i := a.start; i < a.end; i++ {
		switch {
		case text[i] != '\n' && text[i] != '\r':
			text[i] = with
		case with == placeholder:
			with = ' '
		}
	}
}

// besideAction returns what is beside an action in its first and its last line. Bare is the text without actions.
func besideAction(bare []byte, a action) (before, behind string) {
	start := bytes.LastIndexByte(bare[:a.start], '\n') + 1
	end := len(bare)
	if i := bytes.IndexByte(bare[a.end:], '\n'); i >= 0 {
		end = a.end + i
	}
	return string(bytes.TrimSpace(bare[start:a.start])), string(bytes.TrimSpace(bare[a.end:end]))
}

// findBlocks finds the blocks and cuts. It is no error if they are not balanced, as Helm will say so.
func (t *template) findBlocks(text string, all []action) {
	type open struct {
		word string
		id   int
		part int
	}
	t.blocks = &blocks{actions: all}
	var stack []open
	for id, a := range all {
		switch a.word {
		case "", "/*":
			continue
		case "else":
			if len(stack) > 0 {
				stack[len(stack)-1].part++
			}
		case "end":
			if len(stack) == 0 {
				continue
			}
			if stack[len(stack)-1].word == "define" {
				t.cuts = append(t.cuts, a.end+rbacfile.LineLength(text[a.end:]))
			}
			stack = stack[:len(stack)-1]
		default:
			if a.word == "define" {
				t.cuts = append(t.cuts, strings.LastIndexByte(text[:a.start], '\n')+1)
			}
			stack = append(stack, open{word: a.word, id: id})
		}
		path := ""
		for _, o := range stack {
			path += fmt.Sprintf("%d.%d/", o.id, o.part)
		}
		t.blocks.changes = append(t.blocks.changes, blockChange{offset: a.end, path: path})
	}
}
