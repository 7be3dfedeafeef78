// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbacfile

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Kustomization has the fields of a kustomization that bear on RBAC.
type Kustomization struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`

	Resources  []string `yaml:"resources"`
	Bases      []string `yaml:"bases"`
	Components []string `yaml:"components"`

	Namespace  string `yaml:"namespace"`
	NamePrefix string `yaml:"namePrefix"`
	NameSuffix string `yaml:"nameSuffix"`

	Patches               []Patch       `yaml:"patches"`
	PatchesJSON6902       []Patch       `yaml:"patchesJson6902"`
	PatchesStrategicMerge []string      `yaml:"patchesStrategicMerge"` // files or texts
	Replacements          []Replacement `yaml:"replacements"`

	Generators                  []any `yaml:"generators"`
	Transformers                []any `yaml:"transformers"`
	HelmCharts                  []any `yaml:"helmCharts"`
	HelmChartInflationGenerator []any `yaml:"helmChartInflationGenerator"`
}

// Patch is a change of objects, in a file or as a text.
type Patch struct {
	Path   string    `yaml:"path"`
	Patch  string    `yaml:"patch"`
	Target *Selector `yaml:"target"`
}

// Replacement copies a value from one object into others.
type Replacement struct {
	Path    string `yaml:"path"`
	Targets []struct {
		Select Selector `yaml:"select"`
	} `yaml:"targets"`
}

// Selector selects objects by regular expressions. Labels are not read.
type Selector struct {
	Group     string `yaml:"group"`
	Kind      string `yaml:"kind"`
	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace"`
}

// ParseKustomization returns nil for a file of another tool that has the same name.
func ParseKustomization(text string) (*Kustomization, error) {
	k := &Kustomization{}
	err := yaml.Unmarshal([]byte(text), k)
	if k.APIVersion != "" && !strings.HasPrefix(k.APIVersion, "kustomize.config.k8s.io/") {
		return nil, nil // being another tool's is no error
	}
	return k, err
}

// AllPatches returns the patches of k in all the forms that kustomize has had.
func (k *Kustomization) AllPatches() []Patch {
	all := slices.Concat(k.Patches, k.PatchesJSON6902)
	for _, entry := range k.PatchesStrategicMerge {
		if strings.Contains(entry, ":") { // a path has no colon, and each mapping does
			all = append(all, Patch{Patch: entry})
		} else {
			all = append(all, Patch{Path: entry})
		}
	}
	return all
}

// Parts returns the files and directories that the kustomization in dir is made of.
func (k *Kustomization) Parts(dir string) []string {
	var all []string
	for _, entry := range slices.Concat(k.Resources, k.Bases, k.Components) {
		if name := path.Join(dir, entry); name != dir {
			all = append(all, name)
		}
	}
	return all
}
