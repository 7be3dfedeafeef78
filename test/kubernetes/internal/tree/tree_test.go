// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStagingModulesArePublishedOnes(t *testing.T) {
	got, err := publishedStaging([]byte("replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("replace (\n\tk8s.io/api => k8s.io/api v0.37.2\n)\n", string(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, err := publishedStaging([]byte("module m\n")); err == nil {
		t.Error("a go.mod without staging modules is no error")
	}
}

// Every file has its place in the tree, and is Go.
func TestAddedFiles(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	placed := map[string]bool{}
	for _, added := range []map[string]string{added, addedAfter} {
		if err := tree.add(added); err != nil {
			t.Fatal(err)
		}
		for to, from := range added {
			placed["files/"+from] = true
			if _, err := parser.ParseFile(token.NewFileSet(), tree.file(to), nil, parser.AllErrors); err != nil {
				t.Error(err)
			}
		}
	}
	all, err := fs.Glob(files, "files/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		if !placed[file] {
			t.Errorf("%s has no place in the tree", file)
		}
	}
}

// Caught: a file of another package changed.
func TestImportsAreDropIns(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	const imports = "package p\n\nimport %s\n\nvar _ = events.%s\n"
	for name, test := range map[string]struct{ source, want string }{
		"recorder.go":      {fmt.Sprintf(imports, theirs, "NewBroadcaster"), fmt.Sprintf(imports, ours, "NewBroadcaster")},
		"other.go":         {fmt.Sprintf(imports, `"fmt"`, "x"), fmt.Sprintf(imports, `"fmt"`, "x")},
		"recorder_test.go": {fmt.Sprintf(imports, theirs, "x"), fmt.Sprintf(imports, theirs, "x")},
	} {
		if err := os.WriteFile(tree.file(name), []byte(test.source), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			if err := tree.dropIn(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(tree.file(name))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
