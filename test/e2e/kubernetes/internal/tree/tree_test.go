// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package tree

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

// Kubernetes 1.38 has no pkg/kubemark. Caught: a hollow kubelet that was made by it.
func TestHollowKubeletNeedsNoKubemark(t *testing.T) {
	for to, from := range added {
		source, err := fs.ReadFile(files, path.Join("files", from))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), to, source, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			if spec.Path.Value == `"k8s.io/kubernetes/pkg/kubemark"` {
				t.Errorf("%s imports %s", from, spec.Path.Value)
			}
		}
	}
}
