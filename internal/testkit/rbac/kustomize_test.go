// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// lines has one line per object, sorted, with all that kustomize can change in it.
func lines(objects []*object) []string {
	var all []string
	for _, o := range objects {
		line := fmt.Sprintf("%s %s/%s %d rules", o.Kind, o.Metadata.Namespace, o.Metadata.Name, len(o.Rules))
		if o.isBinding() {
			line += fmt.Sprintf(" -> %s %s", o.RoleRef.Kind, o.RoleRef.Name)
		}
		for _, s := range o.Subjects {
			line += fmt.Sprintf(" %s %s/%s", s.Kind, s.Namespace, s.Name)
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// What kustomize v5.8.1 made of the same directories is in the *.rendered.yaml files ("kubectl kustomize DIRECTORY").
// Caught: references resolved before the outermost prefix was known; a subject called default that stayed where it was.
func TestAsKustomizeDoes(t *testing.T) {
	for dir, rendered := range map[string]string{
		"operator/config/default": "operator.rendered.yaml",
		"layers/all":              "layers.rendered.yaml",
	} {
		t.Run(dir, func(t *testing.T) {
			text, err := os.ReadFile("testdata/" + rendered)
			if err != nil {
				t.Fatal(err)
			}
			want, err := decode(rendered, string(text))
			if err != nil || len(want) < 5 {
				t.Fatal(len(want), err)
			}
			got, notes, err := kustomize(os.DirFS("testdata"), dir)
			if err != nil || len(notes) > 0 {
				t.Fatal(notes, err)
			}
			if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
				t.Errorf("(-kustomize +read)\n%s", diff)
			}
		})
	}
}

// A Role is for its namespace, so a binding elsewhere that uses its name means another one.
func TestReferencesStayInTheirNamespace(t *testing.T) {
	objects, _,
		err := kustomize(project("-- kustomization.yaml --\nnamePrefix: p-\nresources: [r.yaml]\n-- r.yaml --\n"+
		role("shop", "r")+bind("shop", "b", "Role", "r", "x/z")+bind("bank", "b", "Role", "r", "x/z")), ".")
	want := []string{
		"Role shop/p-r 0 rules",
		"RoleBinding bank/p-b 0 rules -> Role r ServiceAccount x/z",
		"RoleBinding shop/p-b 0 rules -> Role p-r ServiceAccount x/z",
	}
	if diff := cmp.Diff(want, lines(objects)); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}

// Caught: a loop; an absolute path.
func TestWhatKustomizationsCannotSay(t *testing.T) {
	for _, r := range []struct{ name, kustomization, want string }{
		{"no YAML", "a: b: c", "k/kustomization.yaml:1: mapping values are not allowed in this context"},
		{"above the root", "resources: [../../rbac]", `../../rbac is outside of the directory that was passed: ` +
			`pass one that holds both, as with os.DirFS(".."), and name this kustomization with Overlay`},
		{"far above the root", "bases: [../../../a/../b]", `os.DirFS("../..")`},
		{"absolute", "resources: [/etc/rbac.yaml]", "is outside of the directory"},
		{"a patch above the root", "patches: [{path: ../../p.yaml}]", "../../p.yaml is outside of the directory"},
		{"itself", "resources: [.]", "refers to itself: k -> k"},
		{"each other", "resources: [../loop]", "loop/kustomization.yaml: refers to itself: k -> loop -> loop"},
		{"a directory without one", "resources: [../plain]", "plain: no kustomization in this directory"},
		{"a file for a component", "components: [../plain/role.yaml]",
			"component ../plain/role.yaml is not a directory"},
		{"broken RBAC", "resources: [../plain/broken.yaml]",
			"plain/broken.yaml:2: Role : metadata: string in place of a mapping"},
	} {
		t.Run(r.name, func(t *testing.T) {
			_, _, err := kustomize(project(`
-- loop/kustomization.yaml --
resources: [../loop]
-- plain/role.yaml --
`+role("", "a")+`
-- plain/broken.yaml --

apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: none
-- k/kustomization.yaml --
`+r.kustomization), "k")
			if err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("got %v, want %s", err, r.want)
			}
		})
	}
}

func TestWhatIsNotReadIsNoted(t *testing.T) {
	objects, notes, err := kustomize(project(`
-- k/kustomization.yaml --
resources:
- https://example.com/rbac.yaml
- github.com/example/shop//config?ref=v1
- git@example.com:shop
- crd.yaml
- template.yaml
- role.yaml
components: [github.com/example/component]
generators: [g.yaml]
transformers: [t.yaml]
helmCharts: [{name: shop}]
patchesStrategicMerge: [p.yaml]
-- k/template.yaml --
`+role("", "{{ name }}")+`
-- k/role.yaml --
`+role("", "a")), "k")
	want := []string{
		"k/kustomization.yaml: https://example.com/rbac.yaml is elsewhere",
		"k/kustomization.yaml: github.com/example/shop//config?ref=v1 is elsewhere",
		"k/kustomization.yaml: git@example.com:shop is elsewhere",
		"k/kustomization.yaml: crd.yaml does not exist",
		"k/template.yaml is a template: render it, as with helm template, and pass what that prints",
		"k/kustomization.yaml: github.com/example/component is elsewhere",
		"k/kustomization.yaml: generators, which can make and change objects",
		"k/kustomization.yaml: transformers, which can make and change objects",
		"k/kustomization.yaml: helmCharts, which can make and change objects",
		"k/kustomization.yaml: p.yaml does not exist",
	}
	if diff := cmp.Diff(want, notes); err != nil || diff != "" || kinds(objects) != "ClusterRole a" {
		t.Errorf("%v %s (-want +got)\n%s", err, kinds(objects), diff)
	}
}

// Caught: bases without a bound, 2^30 of them.
func TestManyBases(t *testing.T) {
	files := fstest.MapFS{"d0/kustomization.yaml": {Data: []byte("namePrefix: x-")}}
	for i := range 30 {
		files[fmt.Sprintf("d%d/kustomization.yaml", i+1)] = &fstest.MapFile{
			Data: fmt.Appendf(nil, "resources: [../d%d, ../d%[1]d]", i),
		}
	}
	if _, _, err := kustomize(files, "d30"); err == nil ||
		!strings.HasPrefix(err.Error(), "d30: more than 10000 files and directories") {
		t.Errorf("got %v", err)
	}
}
