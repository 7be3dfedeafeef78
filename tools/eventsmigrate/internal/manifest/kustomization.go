// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// kustomization has the fields of a kustomization that change what others define.
type kustomization struct {
	Patches               []kustomizePatch `yaml:"patches"`
	PatchesStrategicMerge []string         `yaml:"patchesStrategicMerge"`
	PatchesJSON6902       []kustomizePatch `yaml:"patchesJson6902"`
}

type kustomizePatch struct {
	Path  string `yaml:"path"`
	Patch string `yaml:"patch"`
}

// numberedRule is a JSON patch's way to name a rule.
var numberedRule = regexp.MustCompile(`path["']?:\s*["']?(/rules/\d+)`)

// kustomization notes which files are patches: a patch of a role replaces its rules or counts them, so what to make of
// it is for a human to say.
func (p *planner) kustomization(name string) {
	text, ok := p.read(name)
	if !ok || !strings.Contains(text, "patch") {
		return
	}
	var k kustomization
	if err := yaml.Unmarshal([]byte(text), &k); err != nil {
		line, what := cause(err, 1)
		p.human(name, line, "cannot be parsed, so its patches of RBAC are not known: %s", what)
		return
	}
	p.patches[name] = name // it may hold some itself
	p.numberedRules(name, name, text)
	files := k.PatchesStrategicMerge
	for _, change := range append(k.Patches, k.PatchesJSON6902...) {
		files = append(files, change.Path)
	}
	for _, file := range files {
		file = path.Join(path.Dir(name), file)
		if p.patches[file] != "" || !p.tree.has(file) {
			continue
		}
		p.patches[file] = name
		if text, ok := p.read(file); ok {
			p.numberedRules(name, file, text)
		}
	}
}

func (p *planner) numberedRules(by, name, text string) {
	for _, at := range numberedRule.FindAllStringSubmatchIndex(text, -1) {
		p.numbered = append(p.numbered, Finding{
			Path: name, Line: 1 + strings.Count(text[:at[0]], "\n"),
			Message: "a patch of " + by + " names " + text[at[2]:at[3]] +
				" by its number, and a rule was added to a role: check that it still is the rule that is meant",
		})
	}
}
