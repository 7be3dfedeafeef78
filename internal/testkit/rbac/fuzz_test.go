// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

// Whatever a project holds, reading it ends, without a panic, in rules or in an error; and what Verify is content with,
// Rules allow.
func FuzzRead(f *testing.F) {
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile("testdata/" + name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	const marker = "package p\n// +kubebuilder:rbac:groups=\"\";a,resources={b,c},verbs=create\n"
	for name, text := range all {
		if strings.HasSuffix(name, "kustomization.yaml") {
			f.Add(text, all["layers/base/rbac.yaml"], marker)
		} else {
			f.Add("namespace: a\nnamePrefix: p-\nresources: [r.yaml, ../b]\ncomponents: [../c]\n", text, marker)
		}
	}
	f.Add("patches: [{target: {kind: '('}}]\nreplacements: [{path: r.yaml}]", role("a", "b")+bind("a", "b", "Role", "b",
		"c/d"), "x")
	f.Add("", `{"kind":"List","items":[{"kind":"List","items":[{}]}], "x":"rbac.authorization.k8s.io"}`,
		`// +kubebuilder:rbac:verbs={`)
	f.Fuzz(func(t *testing.T, kustomization, manifest, source string) {
		for _, files := range []fstest.MapFS{
			{"a.yaml": {Data: []byte(manifest)}, "b.go": {Data: []byte(source)}},
			{
				"a/kustomization.yaml": {Data: []byte(kustomization)}, "a/r.yaml": {Data: []byte(manifest)},
				"b/Kustomization": {Data: []byte(kustomization)}, "b/r.yaml": {Data: []byte(manifest)},
				"c/kustomization.yml": {Data: []byte("kind: Component\n" + kustomization)},
				"p.go":                {Data: []byte(source)},
			},
		} {
			for _, options := range []Options{{}, {Account: Account{"c", "d"}}, {Overlay: "a"}} {
				m, err := Read(files, options)
				if err != nil {
					t.Fatalf("Read: %v", err)
				}
				problems := m.Verify([]Access{v1Everywhere, coreInShop})
				rules, err := m.Rules()
				allowed := len(rules.missing(v1Everywhere)) == 0 && len(rules.missing(coreInShop)) == 0
				if len(problems) == 0 && err == nil && !allowed {
					t.Errorf("no problem, but not allowed: %v", rules)
				}
			}
		}
	})
}
