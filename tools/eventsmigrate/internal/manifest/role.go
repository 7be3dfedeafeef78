// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// role is a list of rules that is bound as a whole.
type role struct {
	what      string // what to call it, as in "ClusterRole manager-role"
	rules     *yaml.Node
	path      []int // from the root of the document to rules, as indices of Content
	ownerless bool  // it may be no role, so it is not edited
	all       []entry
}

// entry is a rule at its place.
type entry struct {
	node    *yaml.Node
	block   string
	rule    rbacfile.Rule // with what a template may leave out
	certain rbacfile.Rule // what of rule applies whenever its block does
}

// finder looks for roles in the values of a document, whatever they are nested in: a List, an OpenShift Template, a
// ClusterServiceVersion, a Composition.
type finder struct {
	doc   *document
	found []*role
	texts []*yaml.Node // strings that hold rules
}

func (d *document) roles() *finder {
	f := &finder{doc: d}
	f.visit(d.root, nil, "")
	return f
}

// visit looks into n. The items of a typed list, as RoleList, may leave out their kind.
func (f *finder) visit(n *yaml.Node, path []int, item string) {
	switch n.Kind {
	case yaml.MappingNode:
		f.mapping(n, path, item)
	case yaml.SequenceNode:
		if r := f.role(n, path); r != nil {
			// A named template of a chart is a list of rules when it is nothing else.
			r.what, r.ownerless = "a list of rules", len(path) > 1 || f.doc.blocks == nil
			return
		}
		f.children(n, path, item)
	case yaml.ScalarNode:
		if relevant(n.Value) {
			f.texts = append(f.texts, n)
		}
	default:
		f.children(n, path, "")
	}
}

func (f *finder) children(n *yaml.Node, path []int, item string) {
	for i, child := range n.Content {
		f.visit(child, append(slices.Clone(path), i), item)
	}
}

func (f *finder) mapping(n *yaml.Node, path []int, item string) {
	kind, what := f.kind(n, item)
	if r := f.doc.lone(n); r != nil {
		f.found = append(f.found, r)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		at := append(slices.Clone(path), i+1)
		if key == "resourceRules" {
			continue // of a FlowSchema: it grants nothing
		}
		if key == "rules" && what != "" {
			if r := f.role(value, at); r != nil {
				r.what = what
				continue
			}
		}
		item := ""
		if key == "items" {
			item = strings.TrimSuffix(kind, "List")
		}
		f.visit(value, at, item)
	}
}

// kind returns the kind of the object that n may be, and what to call it if it is a role.
func (f *finder) kind(n *yaml.Node, item string) (kind, what string) {
	kind, group := item, ""
	if value := child(n, "kind"); value != nil {
		kind = value.Value
	}
	if value := child(n, "apiVersion"); value != nil {
		group, _, _ = strings.Cut(value.Value, "/")
	} else if item != "" {
		group = "rbac.authorization.k8s.io"
	}
	isGroup := group == "rbac.authorization.k8s.io" || group == "authorization.openshift.io" || isPlaceholder(group)
	isRole := kind == "Role" || kind == "ClusterRole" || isPlaceholder(kind) || strings.Contains(kind, "Role   ")
	if isGroup && isRole {
		name := strings.Join(strings.Fields(f.original(child(n, "kind"), kind)), " or ")
		return kind, strings.TrimSpace(name + " " + f.name(n))
	}
	// A ClusterServiceVersion grants rules to accounts.
	if account := child(n, "serviceAccountName"); account != nil && child(n, "rules") != nil {
		return kind, "permissions of ServiceAccount " + f.original(account, "")
	}
	return kind, ""
}

func (f *finder) name(n *yaml.Node) string {
	metadata := child(n, "metadata")
	if metadata == nil {
		return ""
	}
	return f.original(child(metadata, "name"), "")
}

// original is the text of a scalar in the file, or fallback where there is none.
func (f *finder) original(n *yaml.Node, fallback string) string {
	switch {
	case n == nil || n.Kind != yaml.ScalarNode:
		return fallback
	case isPlaceholder(n.Value):
		return strings.TrimSpace(f.doc.rest(n))
	}
	return n.Value
}

// role returns and adds the role that n is, if it is a list of rules.
func (f *finder) role(n *yaml.Node, path []int) *role {
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	r := &role{rules: n, path: slices.Clone(path)}
	for _, item := range n.Content {
		e, ok := f.doc.entry(item)
		if !ok {
			e = entry{node: item}
		}
		r.all = append(r.all, e)
	}
	if !slices.ContainsFunc(r.all, func(e entry) bool { return len(e.rule.Verbs) > 0 }) {
		return nil
	}
	f.found = append(f.found, r)
	return r
}

// lone returns a role of one rule if n is a rule that is in no list, as the value of a JSON patch is.
func (d *document) lone(n *yaml.Node) *role {
	e, ok := d.entry(n)
	if !ok {
		return nil
	}
	return &role{what: "a rule", ownerless: true, all: []entry{e}}
}

// entry reads a rule.
func (d *document) entry(n *yaml.Node) (entry, bool) {
	field := func(key string) *yaml.Node {
		if value := child(target(n), key); value != nil {
			return value
		}
		if merged := child(target(n), "<<"); merged != nil {
			return child(target(merged), key)
		}
		return nil
	}
	groups, resources, verbs := field("apiGroups"), field("resources"), field("verbs")
	if groups == nil || resources == nil || verbs == nil {
		return entry{}, false
	}
	e := entry{node: n, block: d.block(n)}
	read := func(certain bool) rbacfile.Rule {
		list := func(n *yaml.Node) []string { return d.list(n, e.block, certain) }
		return rbacfile.Rule{
			APIGroups: list(groups), Resources: list(resources), Verbs: list(verbs),
			ResourceNames: d.list(field("resourceNames"), e.block, false),
		}
	}
	e.rule, e.certain = read(false), read(true)
	return e, true
}

// list returns the strings in n. If certain, it returns only those that each rendering with the block has.
func (d *document) list(n *yaml.Node, block string, certain bool) []string {
	if n == nil {
		return nil
	}
	if value := target(n).Value; isPlaceholder(value) {
		return []string{value}
	}
	if target(n).Kind != yaml.SequenceNode {
		return nil
	}
	var all []string
	for _, item := range target(n).Content {
		if !certain || strings.HasPrefix(block, d.block(item)) {
			all = append(all, target(item).Value)
		}
	}
	return all
}

// child returns the value of a key of a mapping. Of two that are alternatives in a template, it is the first.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// target returns the node that an alias stands for, else n.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}
