// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// Facts are what the Go code of the module says about its Events.
type Facts struct {
	CoreWriters []string // what still writes core/v1, as in "cmd/main.go:88: leader election"
	FallsBack   bool     // the SDK's adapter writes core/v1 where events.k8s.io is missing or forbidden
	Records     bool     // the module records Events, so something must let it
}

// Result has the edits, ordered by path, and the findings, ordered by place.
type Result struct {
	Edits    []Edit
	Findings []Finding
	Missing  *Finding // the module records, and no RBAC in it is about that
	Grants   bool     // some RBAC is about recording Events
}

// Edit replaces a file. Path is slash-separated and relative to the root.
type Edit struct {
	Path          string
	Before, After []byte
}

// Finding is about one place. Line is the line before the edit, or 0 for a whole file or the module.
type Finding struct {
	Path    string
	Line    int
	Changed bool // an edit changes it; what is neither Changed nor Kept needs a human
	Kept    bool // Message says why a rule for core/v1 stays
	Message string
}

// planner collects the result file by file.
type planner struct {
	facts    Facts
	root     fs.FS
	tree     *rbacfile.Tree
	patches  map[string]string // the kustomization that applies a file as a patch
	numbered []Finding         // patches that refer to a rule by its number
	inserted bool              // a rule was added, so numbers may have changed
	hasRules bool              // some RBAC is about recording Events
	marked   Finding           // the place of the first marker
	result   Result
}

// Plan returns how to change the RBAC under root. The error is about root itself. What is wrong with a file is a
// finding.
func Plan(root fs.FS, facts Facts) (Result, error) {
	t, err := walk(root)
	if err != nil {
		return Result{}, fmt.Errorf("cannot look for RBAC: %w", err)
	}
	p := &planner{facts: facts, root: root, tree: t, patches: map[string]string{}}
	for _, name := range t.Kustomizations {
		p.kustomization(name)
	}
	packages := map[string][]string{}
	for _, name := range t.GoFiles {
		packages[path.Dir(name)] = append(packages[path.Dir(name)], name)
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		p.code(packages[dir])
	}
	for _, name := range t.Manifests {
		p.manifest(name)
	}
	if p.inserted {
		p.result.Findings = append(p.result.Findings, p.numbered...)
	}
	p.result.Grants = p.hasRules
	if facts.Records && !p.hasRules {
		p.result.Missing = p.missing()
	}
	p.result.sort()
	return p.result, nil
}

// walk lists the files under root. It leaves out what others wrote or what was built, and nested modules, because each
// is migrated by a run of its own. A directory that cannot be read was not compiled either.
func walk(root fs.FS) (*rbacfile.Tree, error) {
	return rbacfile.Walk(root, func(name string, d fs.DirEntry) bool {
		if !d.IsDir() {
			return !d.Type().IsRegular()
		}
		_, err := fs.Stat(root, path.Join(name, "go.mod"))
		return err == nil || slices.Contains([]string{"third_party", "bin"}, path.Base(name))
	})
}

// numberedRule is the number of a rule in a JSON patch.
var numberedRule = regexp.MustCompile(`path["']?:\s*["']?(/rules/\d+)`)

// kustomization notes which files are patches. A patch of a role replaces its rules or counts them, so a human has to
// decide how to change it.
func (p *planner) kustomization(name string) {
	text, ok := p.read(name)
	if !ok || !strings.Contains(text, "patch") {
		return
	}
	k, err := rbacfile.ParseKustomization(text)
	if err != nil {
		line, what := rbacfile.ErrorLine(err, 1)
		p.human(name, line, "cannot be parsed, so its patches of RBAC are not known: %s", what)
		return
	}
	p.patches[name] = name // it may hold patches itself
	p.numberedRules(name, name, text)
	if k == nil {
		return
	}
	for _, change := range k.AllPatches() {
		file := path.Join(path.Dir(name), change.Path)
		if p.patches[file] != "" || !slices.Contains(p.tree.Manifests, file) {
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

func (r *Result) sort() {
	slices.SortFunc(r.Edits, func(a, b Edit) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
}

// read returns a file's text. It reports a file that cannot be read.
func (p *planner) read(name string) (string, bool) {
	text, err := fs.ReadFile(p.root, name)
	if err != nil {
		p.human(name, 0, "cannot be read, so its RBAC is not migrated: %v", err)
	}
	return string(text), err == nil
}

func (p *planner) edit(name, before, after string) {
	if before != after {
		p.result.Edits = append(p.result.Edits, Edit{Path: name, Before: []byte(before), After: []byte(after)})
	}
}

func (p *planner) changed(name string, line int, format string, args ...any) {
	p.report(Finding{Path: name, Line: line, Changed: true, Message: fmt.Sprintf(format, args...)})
}

func (p *planner) human(name string, line int, format string, args ...any) {
	p.report(Finding{Path: name, Line: line, Message: fmt.Sprintf(format, args...)})
}

func (p *planner) report(f Finding) { p.result.Findings = append(p.result.Findings, f) }

// kept reports that a grant for core/v1 stays, and why.
func (p *planner) kept(name string, line int, what string) {
	p.report(Finding{Path: name, Line: line, Kept: true, Message: "kept: " + what + ", " + p.reason()})
}

// reason is what still needs the core group.
func (p *planner) reason() string {
	const adapter = "the SDK's adapter (where events.k8s.io is missing or forbidden, and to roll back with EVENTSERIES_API=core)"
	writers := slices.Clone(p.facts.CoreWriters)
	if p.facts.FallsBack {
		writers = append(writers, adapter)
	}
	switch n := len(writers); {
	case n == 1 && p.facts.FallsBack:
		return "for " + adapter + ": if neither is needed, it can go once no older version runs"
	case n == 0:
		return "though nothing in the module writes core/v1 any more: it can go once no older version runs"
	case n > 3:
		return fmt.Sprintf("for %s; and %d more places", strings.Join(writers[:2], "; "), n-2)
	}
	return "for " + strings.Join(writers, "; ")
}

// missing is the finding that the module records and that no RBAC in it allows it.
func (p *planner) missing() *Finding {
	const absent = "the module records Events, and no RBAC in it grants them: "
	if m := p.marked; m.Path != "" {
		m.Message = absent + "add // " + newMarker + " and generate the roles again"
		return &m
	}
	return &Finding{Message: absent + "add to the Role of its ServiceAccount, or where its RBAC is kept, the rule " + newRule}
}
