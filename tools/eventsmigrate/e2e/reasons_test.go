// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/actions"
)

// kubernetes are the modules whose reasons the table has.
var kubernetes = map[string][]string{
	"k8s.io/kubernetes@v1.36.3":     {"cmd", "pkg"},
	"k8s.io/cloud-provider@v0.36.3": {"."},
	"k8s.io/endpointslice@v0.36.3":  {"."},
	"k8s.io/api@v0.36.3":            {"batch/v1"},
	"k8s.io/client-go@v0.36.3":      {"tools/leaderelection"},
}

// The table has all reasons that Kubernetes records as constants, and no others but those of many controllers.
func TestReasonsOfKubernetes(t *testing.T) {
	source := &source{t: t, literals: map[string]bool{}, constants: map[string][]string{}, recorded: map[string]string{}}
	for module, dirs := range kubernetes {
		source.read(module, dirs)
	}
	known := map[string]bool{}
	for _, row := range actions.Table {
		if row.By == "many controllers" {
			continue
		}
		for _, reason := range strings.Fields(row.Reasons) {
			known[reason] = true
			// The controller of StatefulSets makes these two of their halves.
			if !source.literals[reason] && reason != "SuccessfulUpdate" && reason != "FailedUpdate" {
				t.Errorf("Kubernetes has no reason %s", reason)
			}
		}
	}
	for reason, at := range source.recorded {
		if !known[reason] {
			t.Errorf("%s: the reason %s is not in the table", at, reason)
		}
	}
}

// source is what Go files say, by names and not by types.
type source struct {
	t         *testing.T
	literals  map[string]bool
	constants map[string][]string // the values of constants by name, whatever the package
	recorded  map[string]string   // where a reason is recorded
}

func (s *source) read(module string, dirs []string) {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), "go", "mod", "download", "-json", module).Output()
	if err != nil {
		s.t.Fatalf("cannot get %s: %v", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		s.t.Fatal(err)
	}
	var files []*ast.File
	fset := token.NewFileSet()
	for _, dir := range dirs {
		err := filepath.WalkDir(filepath.Join(found.Dir, dir), func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
				strings.Contains(name, "/testing/") || strings.Contains(name, "/testutil/") {
				return err
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			files = append(files, file)
			return err
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	for _, file := range files {
		ast.Inspect(file, s.define)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				s.record(call, fset)
			}
			return true
		})
	}
}

// define notes literals and constants.
func (s *source) define(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
			s.literals[text] = true
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				if value, ok := n.Values[i].(*ast.BasicLit); ok && value.Kind == token.STRING {
					text, _ := strconv.Unquote(value.Value)
					s.constants[name.Name] = append(s.constants[name.Name], text)
				}
			}
		}
	}
	return true
}

// record notes the reason of a call that records: the argument behind the type.
func (s *source) record(call *ast.CallExpr, fset *token.FileSet) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Event", "Eventf", "AnnotatedEventf"}, method.Sel.Name) {
		return
	}
	for i, arg := range call.Args[:max(len(call.Args)-1, 0)] {
		kind, ok := arg.(*ast.SelectorExpr)
		if !ok || !strings.HasPrefix(kind.Sel.Name, "EventType") {
			continue
		}
		for _, reason := range s.values(call.Args[i+1]) {
			s.recorded[reason] = fset.Position(call.Pos()).String()
		}
	}
}

// values are those of a literal, or of the constants with a name, if it has only one value.
func (s *source) values(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return []string{text}
	case *ast.Ident:
		return s.only(e.Name)
	case *ast.SelectorExpr:
		return s.only(e.Sel.Name)
	}
	return nil
}

func (s *source) only(name string) []string {
	if values := slices.Compact(slices.Sorted(slices.Values(s.constants[name]))); len(values) == 1 {
		return values
	}
	return nil
}
