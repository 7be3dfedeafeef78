// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

// kustomization has the fields of a kustomization file that bear on RBAC.
type kustomization struct {
	Kind                         string
	Resources, Bases, Components []string
	Namespace                    string
	NamePrefix, NameSuffix       string
	Patches                      []change
	PatchesStrategicMerge        []string
	PatchesJSON6902              []change `json:"patchesJson6902"`
	Replacements                 []replacement

	Generators, Transformers         []json.RawMessage
	HelmCharts                       []json.RawMessage
	HelmChartInflationGenerator      []json.RawMessage
	Configurations, Crds, Validators []json.RawMessage

	file string
}

// kustomizationFiles are the names that kustomize looks for.
var kustomizationFiles = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// readKustomization returns the kustomization in dir, or nil if there is none. Other tools have files of that name,
// too.
func readKustomization(fsys fs.FS, dir string) (*kustomization, error) {
	for _, name := range kustomizationFiles {
		file := path.Join(dir, name)
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			continue
		}
		var head header
		if yaml.Unmarshal(text, &head) == nil && head.APIVersion != "" &&
			!strings.HasPrefix(head.APIVersion, "kustomize.config.k8s.io/") {
			continue
		}
		k := &kustomization{file: file}
		if err := yaml.Unmarshal(text, k); err != nil {
			return nil, documents(file, text)[0].broken(plain(err))
		}
		return k, nil
	}
	return nil, nil // having none is no error
}

// parts are the files and directories that k is made of.
func (k *kustomization) parts() []string { return slices.Concat(k.Resources, k.Bases, k.Components) }

// unread names the fields that can make or change RBAC objects and are not followed.
func (k *kustomization) unread() []string {
	var fields []string
	for _, f := range []struct {
		name  string
		value []json.RawMessage
	}{
		{"generators", k.Generators},
		{"transformers", k.Transformers},
		{"helmCharts", k.HelmCharts},
		{"helmChartInflationGenerator", k.HelmChartInflationGenerator},
	} {
		if len(f.value) > 0 {
			fields = append(fields, f.name)
		}
	}
	return fields
}

// transform gives objects the namespace and the names that k wants, in kustomize's order.
func (k *kustomization) transform(objects []*object) {
	for _, o := range objects {
		if k.Namespace != "" {
			o.move(k.Namespace)
		}
		if k.NamePrefix != "" {
			o.rename(k.NamePrefix + o.Metadata.Name)
			o.prefixes = append(o.prefixes, k.NamePrefix)
		}
		if k.NameSuffix != "" {
			o.rename(o.Metadata.Name + k.NameSuffix)
			o.suffixes = append(o.suffixes, k.NameSuffix)
		}
	}
}

func (o *object) move(namespace string) {
	if o.namespaced() {
		o.was = append(o.was, o.Metadata.identity)
		o.Metadata.Namespace = namespace
	}
	for i := range o.Subjects {
		if o.Subjects[i].Name == "default" { // the one account that need not be among the resources
			o.Subjects[i].Namespace = namespace
		}
	}
}

func (o *object) rename(name string) {
	o.was = append(o.was, o.Metadata.identity)
	o.Metadata.Name = name
}

// remote reports whether kustomize would fetch entry from elsewhere.
func remote(entry string) bool {
	host, _, _ := strings.Cut(entry, "/")
	return strings.Contains(entry, "://") || strings.Contains(entry, "?") || strings.HasPrefix(entry, "git::") ||
		strings.Contains(host, "@") || strings.HasSuffix(host, ".com") || strings.HasSuffix(host, ".org")
}

// escape is the error about a file that is not below the root of what is read.
func (k *kustomization) escape(entry string) error {
	return fmt.Errorf("%s: %s is outside of the directory that was passed: "+
		"pass one that holds both, as with os.DirFS(%q), and name this kustomization with Overlay",
		k.file, entry, upward(path.Dir(k.file), entry))
}

// upward is how many directories above the root entry of the kustomization in dir leads.
func upward(dir, entry string) string {
	up := path.Join(dir, entry)
	if path.IsAbs(entry) {
		return "/"
	}
	n := 0
	for up == ".." || strings.HasPrefix(up, "../") {
		n, up = n+1, strings.TrimPrefix(strings.TrimPrefix(up, ".."), "/")
	}
	return strings.TrimSuffix(strings.Repeat("../", max(n, 1)), "/")
}
