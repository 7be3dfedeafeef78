// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package goldentest

import (
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// want is a comment with one quoted regular expression for each diagnostic of its line.
var want = regexp.MustCompile(`(?m)[ \t]*// want (.*)$`)

// wrongWants returns how the diagnostics of a file differ from its want comments.
func wrongWants(f *file) (problems []string) {
	for i, line := range strings.Split(string(f.text), "\n") {
		wanted, err := patterns(line)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", f.place(i+1), err))
		}
		for _, message := range f.messages[i+1] {
			match := slices.IndexFunc(wanted, func(p *regexp.Regexp) bool { return p.MatchString(message) })
			if match < 0 {
				problems = append(problems, fmt.Sprintf("%s: reported and not wanted: %s", f.place(i+1), message))
				continue
			}
			wanted = slices.Delete(wanted, match, match+1)
		}
		for _, p := range wanted {
			problems = append(problems, fmt.Sprintf("%s: wanted and not reported: %v", f.place(i+1), p))
		}
	}
	return problems
}

// patterns returns the regular expressions of a line's want comment.
func patterns(line string) (all []*regexp.Regexp, err error) {
	match := want.FindStringSubmatch(line)
	if match == nil {
		return nil, nil
	}
	for rest := strings.TrimSpace(match[1]); rest != ""; rest = strings.TrimSpace(rest) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, fmt.Errorf("no quoted string in %s", rest)
		}
		rest = rest[len(quoted):]
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		all = append(all, pattern)
	}
	return all, nil
}

// withWants returns the file with a want comment for each diagnostic, and without those that it had.
func (f *file) withWants(t *testing.T) []byte {
	t.Helper()
	lines := strings.Split(string(f.text), "\n")
	for i, line := range lines {
		line = want.ReplaceAllString(line, "")
		if found := f.messages[i+1]; len(found) > 0 {
			line += " // want"
			for _, message := range found {
				line += fmt.Sprintf(" %q", regexp.QuoteMeta(message))
			}
		}
		lines[i] = line
	}
	formatted, err := format.Source([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return formatted
}
