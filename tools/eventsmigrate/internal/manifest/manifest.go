// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// manifest extends the roles in a file of YAML, JSON or a template of it.
func (p *planner) manifest(name string) {
	text, ok := p.read(name)
	if !ok || !relevant(text) {
		return
	}
	all, err := p.documents(name, text)
	if err != nil {
		line, what := rbacfile.ErrorLine(err, 1)
		p.human(name, line, "cannot be read as a template, so its RBAC is not migrated: %s", what)
		return
	}
	var edited strings.Builder
	done := 0
	for _, d := range all {
		in := p.document(name, d)
		edited.WriteString(text[done:d.offset] + apply(d.source, in))
		done = d.offset + len(d.source)
	}
	p.edit(name, text, edited.String()+text[done:])
}

// relevant reports whether text can hold a rule about Events. Nothing else is parsed, so no other YAML of a project
// costs time or can be an error.
func relevant(text string) bool {
	return strings.Contains(text, "apiGroups") && strings.Contains(text, "verbs") &&
		(strings.Contains(text, resource) || strings.Contains(text, "*"))
}

// documents splits a file. A file outside of a chart is a template, too, if there are actions in it.
func (p *planner) documents(name, text string) ([]*document, error) {
	if !strings.Contains(text, "{{") {
		return documents(text, text), nil
	}
	t, err := mask(text)
	switch {
	case err != nil && p.tree.IsHelmTemplate(name):
		return nil, err
	case err != nil:
		return documents(text, text), nil // the braces are not actions
	}
	all := documents(text, t.mask, t.cuts...)
	for _, d := range all {
		d.blocks = t.blocks
	}
	return all, nil
}

// document returns the insertions into one document.
func (p *planner) document(name string, d *document) []*insertion {
	if !relevant(d.source) {
		return nil
	}
	if err := d.parse(); err != nil {
		p.broken(name, d, err)
		return nil
	}
	roles := d.roles()
	var all []*insertion
	for _, r := range roles.found {
		all = append(all, p.role(name, d, r)...)
	}
	for _, text := range roles.texts {
		p.embedded(name, d, text)
	}
	// Each was checked alone, and now all are together.
	if err := d.check(all); err != nil && len(all) > 0 {
		p.result.Findings = slices.DeleteFunc(p.result.Findings, func(f Finding) bool {
			return f.Changed && f.Path == name && f.Line >= d.first
		})
		p.human(name, d.first, "cannot be edited safely: %v: add to each role the rule %s", err, newRule)
		return nil
	}
	return all
}

// recordsCore finds a rule in a text that cannot be parsed. The items of a list are expected in one line, or each in a
// line of its own.
var recordsCore = regexp.MustCompile(`(?m)^[^#\n]*?(?:resources.*|-\s*)["'\s\[,]events["'\s\],]|^\s*-\s+events\r?$`)

func (p *planner) broken(name string, d *document, err error) {
	found := recordsCore.FindStringIndex(d.source)
	if found == nil {
		return
	}
	p.hasRules = true
	line, what := rbacfile.ErrorLine(err, d.first)
	if d.blocks == nil {
		p.human(name, line, "cannot be parsed, so its RBAC is not migrated: %s", what)
		return
	}
	at := d.first + strings.Count(d.source[:found[1]-1], "\n")
	p.human(name, at, "the template is not understood (line %d: %s): if this rule is for recording Events, "+
		"add behind it %s", line, what, newRule)
}

// role returns the insertions that make r allow recording through the new group wherever it does through core/v1.
func (p *planner) role(name string, d *document, r *role) []*insertion {
	core := slices.DeleteFunc(r.indices(), func(i int) bool { return !records(r.all[i].rule, "") })
	p.hasRules = p.hasRules || len(core) > 0 || r.allows(newGroup, "")
	var all []*insertion
	var blocks []string // in which the new group is allowed by insertions
	for _, i := range core {
		e := r.all[i]
		within := func(block string) bool { return strings.HasPrefix(e.block, block) }
		if r.allows(newGroup, e.block) || slices.ContainsFunc(blocks, within) {
			continue
		}
		blocks = append(blocks, e.block)
		if in := p.insert(name, d, r, i); in != nil {
			all = append(all, in)
		}
	}
	if !r.ownerless && p.patches[name] == "" {
		p.keep(name, d, r, len(all) > 0)
	}
	return all
}

// keep reports that the first core rule of r stays, if the new group is allowed beside it.
func (p *planner) keep(name string, d *document, r *role, added bool) {
	i := slices.IndexFunc(r.all, func(e entry) bool { return records(e.rule, "") && slices.Contains(e.rule.APIGroups, "") })
	if i >= 0 && (added || r.allows(newGroup, r.all[i].block)) {
		p.kept(name, d.line(r.all[i].node), "the core/v1 rule of "+r.what)
	}
}

// indices returns the indices of the rules, those of extensible ones first.
func (r *role) indices() []int {
	var all, rest []int
	for i, e := range r.all {
		if e.extensible() {
			all = append(all, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(all, rest...)
}

// extensible reports whether the new group can be added to a rule, and is then allowed in each rendering.
func (e entry) extensible() bool { return extensible(e.rule) && extensible(e.certain) }

// allows reports whether r allows recording Events of group in each rendering that has the block.
func (r *role) allows(group, block string) bool {
	var rules []rbacfile.Rule
	for _, e := range r.all {
		if strings.HasPrefix(block, e.block) {
			rules = append(rules, e.certain)
		}
	}
	return allows(rules, group)
}

// insert returns the insertion that adds the new group to rule i or a rule behind it. It reports a rule for which
// there is no safe one.
func (p *planner) insert(name string, d *document, r *role, i int) *insertion {
	e := r.all[i]
	line := d.line(e.node)
	if by := p.patches[name]; by != "" {
		p.human(name, line, "%s is in a patch of %s, and patches are not edited: if it is for recording Events, add %s",
			r.what, by, newRule)
		return nil
	}
	if r.ownerless {
		p.human(name, line, "%s grants Events of core/v1, and nothing says whose it is: if it ends in a role that "+
			"records, add %s", r.what, newRule)
		return nil
	}
	var reason error
	if e.extensible() {
		in, err := d.checked(d.extend(r, i))
		if err == nil {
			p.changed(name, line, "%s: %s added to apiGroups", r.what, newGroup)
			return in
		}
		reason = err
	}
	in, err := d.checked(d.add(r, i))
	if err == nil {
		p.changed(name, line, "%s: rule added for %s", r.what, newGroup)
		p.inserted = true
		return in
	}
	if reason == nil {
		reason = err
	}
	p.human(name, line, "%s cannot be edited safely: %v: add the rule %s", r.what, reason, newRule)
	return nil
}

// checked returns an error if an insertion changes anything but what it should.
func (d *document) checked(in *insertion, err error) (*insertion, error) {
	if err != nil {
		return nil, err
	}
	return in, d.check([]*insertion{in})
}

// embedded reports roles in a text within the document, as an inline patch or a manifest in a ConfigMap.
func (p *planner) embedded(name string, d *document, n *yaml.Node) {
	first := d.line(n)
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		first++
	}
	for _, inner := range documents(n.Value, n.Value) {
		inner.first += first - 1
		if inner.parse() != nil {
			continue // it is no YAML
		}
		for _, r := range inner.roles().found {
			r.ownerless, r.what = true, r.what+" in a text"
			p.role(name, inner, r)
		}
	}
}
