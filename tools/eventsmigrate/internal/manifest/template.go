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

// template is a file with actions, as Helm's are. Masked, it can be parsed as YAML, and each offset in the mask is one
// in the file.
type template struct {
	mask   string
	blocks *blocks
	cuts   []int // where named templates begin and end
}

// blank stands for an action where a value is expected.
const blank = '_'

// unknown reports whether a template decides what value is.
func unknown(value string) bool { return strings.Contains(value, "____") }

// blocks knows which control blocks each place of a template is in. A rule in one of them may be absent when another
// is there.
type blocks struct {
	turns   []turn
	actions []action
}

// turn is where the innermost block changes. A path names the blocks from the outermost on, as in "1.0/4.1/".
type turn struct {
	offset int
	path   string
}

func (b *blocks) at(offset int) string {
	if b == nil {
		return ""
	}
	i, found := slices.BinarySearchFunc(b.turns, offset, func(t turn, offset int) int { return t.offset - offset })
	if !found {
		i--
	}
	if i < 0 {
		return ""
	}
	return b.turns[i].path
}

// inside reports whether offset is in an action.
func (b *blocks) inside(offset int) bool {
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

// mask makes YAML of a template: lines of nothing but actions become comments, an action that prints something becomes
// a word, and a control action behind text becomes spaces. One in front of text becomes what no YAML has: where the
// text stands in its line is not known.
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
		before, behind := aside(bare, a)
		switch {
		case before == "" && behind == "":
			fill(masked, a, '#')
		case a.word == "":
			fill(masked, a, blank)
		case before == "":
			fill(masked, a, '@')
		default:
			fill(masked, a, ' ')
		}
	}
	t := &template{mask: string(masked)}
	t.nest(text, all)
	return t, nil
}

// fill overwrites an action, but not its line ends. A word has no second line.
func fill(text []byte, a action, with byte) {
	for i := a.start; i < a.end; i++ {
		switch {
		case text[i] != '\n' && text[i] != '\r':
			text[i] = with
		case with == blank:
			with = ' '
		}
	}
}

// aside returns what is beside an action in its first and its last line, other actions being blanked out.
func aside(bare []byte, a action) (before, behind string) {
	start := bytes.LastIndexByte(bare[:a.start], '\n') + 1
	end := len(bare)
	if i := bytes.IndexByte(bare[a.end:], '\n'); i >= 0 {
		end = a.end + i
	}
	return string(bytes.TrimSpace(bare[start:a.start])), string(bytes.TrimSpace(bare[a.end:end]))
}

// nest finds the blocks. An unbalanced template is Helm's to complain about.
func (t *template) nest(text string, all []action) {
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
		t.blocks.turns = append(t.blocks.turns, turn{offset: a.end, path: path})
	}
}
