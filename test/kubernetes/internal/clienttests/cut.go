// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clienttests

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// compileError is a line of the compiler.
var compileError = regexp.MustCompile(`(?m)^(?:\./)?(\w+_test\.go):(\d+):\d+: (.*)$`)

// leaveOut removes the declarations in which the compiler has found errors, and returns the tests among them with the
// first error of each.
func leaveOut(dir, compiled string) (tests map[string]string, err error) {
	found := map[string]map[int]string{} // by file and line
	for _, match := range compileError.FindAllStringSubmatch(compiled, -1) {
		line, err := strconv.Atoi(match[2])
		if err != nil {
			return nil, err
		}
		if found[match[1]] == nil {
			found[match[1]] = map[int]string{}
		}
		if found[match[1]][line] == "" {
			found[match[1]][line] = match[3]
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no error in a test")
	}
	tests = map[string]string{}
	for file, errors := range found {
		if err := cut(filepath.Join(dir, file), errors, tests); err != nil {
			return nil, err
		}
	}
	return tests, nil
}

// cut removes the declarations and imports on these lines.
func cut(name string, lines map[int]string, tests map[string]string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		return err
	}
	var gone []ast.Node
	why := func(node ast.Node) string {
		for _, line := range slices.Sorted(maps.Keys(lines)) {
			if set.Position(node.Pos()).Line <= line && line <= set.Position(node.End()).Line {
				return lines[line]
			}
		}
		return ""
	}
	for _, spec := range file.Imports {
		if why(spec) != "" {
			gone = append(gone, spec)
		}
	}
	for _, decl := range file.Decls {
		if imports, ok := decl.(*ast.GenDecl); ok && imports.Tok == token.IMPORT || why(decl) == "" {
			continue
		}
		gone = append(gone, decl)
		if function, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(function.Name.Name, "Test") {
			tests[function.Name.Name] = why(decl)
		}
	}
	if len(gone) == 0 { // the next round would find the same
		return fmt.Errorf("%s: no declaration at the errors %v", name, lines)
	}
	slices.SortFunc(gone, func(a, b ast.Node) int { return int(b.Pos() - a.Pos()) })
	for _, node := range gone {
		text = slices.Delete(text, set.Position(node.Pos()).Offset, set.Position(node.End()).Offset)
	}
	return os.WriteFile(name, text, 0o600)
}
