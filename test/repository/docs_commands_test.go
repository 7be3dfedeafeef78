// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notOurs are targets of the Makefiles of users' projects.
var notOurs = []string{"manifests", "build-installer"} // kubebuilder's

// Commands of make, go and cd, in blocks of sh and console and in `code`, name targets of the Makefile, packages and
// tests that exist. In a block of console a command follows a "$".
//
// Caught: a target that was renamed, in CONTRIBUTING.md; a path of `go run`; a test in `go test -run`.
func TestDocsCommands(t *testing.T) {
	atRoot(t)
	c := readCommands(t)
	for _, p := range pages(t) {
		if p.path == "CHANGELOG.md" { // names what was, too
			continue
		}
		check := func(line int, text, dir string) string {
			next, err := c.check(text, dir)
			if err != nil {
				t.Errorf("%s:%d: %q: %v", p.path, line, strings.TrimSpace(text), err)
			}
			return next
		}
		for _, b := range p.blocks {
			dir := "."
			for i, line := range strings.Split(b.text, "\n") {
				command, prompted := strings.CutPrefix(line, "$ ")
				if b.language == "sh" || b.language == "console" && prompted {
					dir = check(b.line+1+i, command, dir)
				}
			}
		}
		for _, s := range p.spans {
			check(s.line, s.code, ".")
		}
	}
}

// commands has the names that a command may use.
type commands struct{ targets, tests []string }

func readCommands(t *testing.T) commands {
	t.Helper()
	var c commands
	for _, match := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(text(t, "Makefile"), -1) {
		c.targets = append(c.targets, match[1])
	}
	test := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`)
	for _, file := range tree(t) {
		if strings.HasSuffix(file, "_test.go") {
			for _, match := range test.FindAllStringSubmatch(text(t, file), -1) {
				c.tests = append(c.tests, match[1])
			}
		}
	}
	return c
}

// check checks a line of commands in dir, and returns where the next line is run.
func (c commands) check(line, dir string) (string, error) {
	line, _, _ = strings.Cut(line, " #")
	for _, command := range regexp.MustCompile(`&&|\|\||[;|]`).Split(line, -1) {
		words := strings.Fields(command)
		for len(words) > 0 && strings.Contains(words[0], "=") { // variables
			words = words[1:]
		}
		if len(words) < 2 {
			continue
		}
		var err error
		switch words[0] {
		case "make":
			err = c.checkMake(words[1:])
		case "go":
			err = c.checkGo(dir, words[1], words[2:])
		case "cd":
			dir = filepath.Join(dir, words[1])
			_, err = os.Stat(dir)
		}
		if err != nil {
			return dir, err
		}
	}
	return dir, nil
}

func (c commands) checkMake(words []string) error {
	for _, word := range words {
		isTarget := !strings.HasPrefix(word, "-") && !strings.Contains(word, "=")
		if isTarget && !slices.Contains(c.targets, word) && !slices.Contains(notOurs, word) {
			return fmt.Errorf("the Makefile has no target %s, but %v", word, c.targets)
		}
	}
	return nil
}

func (c commands) checkGo(dir, verb string, words []string) error {
	if !slices.Contains([]string{"run", "test", "build", "vet", "install", "get"}, verb) {
		return nil
	}
	for i, word := range words {
		name, _, _ := strings.Cut(word, "@")
		name = strings.TrimSuffix(strings.TrimSuffix(name, "..."), "/")
		ours, isOurs := strings.CutPrefix(name+"/", module)
		var err error
		switch {
		case isOurs:
			_, err = os.Stat(filepath.Join(".", filepath.FromSlash(ours)))
		case strings.HasPrefix(name, "./"), strings.HasPrefix(name, "../"):
			_, err = os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		case verb == "test" && i > 0 && words[i-1] == "-run":
			err = c.checkTest(word)
		}
		if err != nil {
			return err
		}
		if verb == "run" && !strings.HasPrefix(word, "-") {
			return nil // the rest are the program's own arguments
		}
	}
	return nil
}

func (c commands) checkTest(pattern string) error {
	top, _, _ := strings.Cut(strings.Trim(pattern, `'"`), "/")
	expression, err := regexp.Compile(top)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(c.tests, expression.MatchString) {
		return fmt.Errorf("no test is named %s", top)
	}
	return nil
}

// SECURITY.md names the test of each claim, and these tests exist.
//
// Caught: a test that was renamed.
func TestSecurityIsShown(t *testing.T) {
	atRoot(t)
	tests := readCommands(t).tests
	named := firsts(regexp.MustCompile("`((?:Test|Fuzz)\\w+)`"), text(t, "SECURITY.md"))
	for _, name := range named {
		if !slices.Contains(tests, name) {
			t.Errorf("SECURITY.md names %s, which is no test", name)
		}
	}
	if len(named) < 20 {
		t.Errorf("SECURITY.md names the tests %v, want one for each claim", named)
	}
}
