// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Document is the place of a YAML document in a file.
type Document struct {
	Start, End int // offsets
	Line       int // the line of the file that Start is in
}

// Split finds the documents of a file. The line that separates two documents belongs to the second one.
func Split(text string) []Document {
	var all []Document
	start := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	ended := false // by the line before
	for end, first, line := start, 1, 1; ; line++ {
		next := text[end:]
		ends := next == "" || ended || separates(next, "---")
		if ends && end > start {
			all = append(all, Document{Start: start, End: end, Line: first})
			start, first = end, line
		}
		if next == "" {
			return all
		}
		ended = separates(next, "...")
		end += lineLength(next)
	}
}

// separates reports whether text begins with a line that is a separator of documents.
func separates(text, separator string) bool {
	rest, found := strings.CutPrefix(text, separator)
	return found && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n"))
}

// lineLength is the length of the first line of text, with its end. It knows all line ends of YAML.
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

var errorLine = regexp.MustCompile(`line (\d+): `)

// ErrorLine returns the line of the file that an error of a parser is about, and the error without it. The text that
// was parsed begins in line first, which is also returned for an error without a line.
func ErrorLine(err error, first int) (line int, what string) {
	what = err.Error()
	var types *yaml.TypeError
	if errors.As(err, &types) {
		what = types.Errors[0]
	}
	what = strings.TrimPrefix(strings.TrimPrefix(what, "error converting YAML to JSON: "), "yaml: ")
	found := errorLine.FindStringSubmatch(what)
	if found == nil {
		return first, what
	}
	number, err := strconv.Atoi(found[1])
	if err != nil {
		return first, what
	}
	return first + number - 1, strings.Replace(what, found[0], "", 1)
}
