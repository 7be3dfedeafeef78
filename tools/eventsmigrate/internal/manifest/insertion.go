// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/eventseries/eventseries/tools/eventsmigrate/internal/rbacfile"
)

// insertion is text to add to a document. It adds item to the list at path.
type insertion struct {
	offset int
	text   string
	path   []int
	index  int
	item   *yaml.Node
}

// extend adds the new group to the groups of rule i, behind the core group.
func (d *document) extend(r *role, i int) (*insertion, error) {
	node := r.all[i].node
	groups := child(node, "apiGroups")
	if groups == nil || groups.Kind != yaml.SequenceNode || node.Anchor != "" || groups.Anchor != "" {
		return nil, errors.New("the rule is used elsewhere, too")
	}
	isCore := func(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" }
	core := slices.IndexFunc(groups.Content, isCore)
	if core < 0 {
		return nil, errors.New("the core group is used elsewhere, too")
	}
	end, err := d.end(groups.Content[core])
	if err != nil {
		return nil, err
	}
	s := d.style(node)
	key := slices.Index(node.Content, groups)
	in := &insertion{path: append(slices.Clone(r.path), i, key), index: core + 1, item: scalar(newGroup), offset: end}
	if flow(groups) {
		in.text = d.separator(groups, s.separator) + s.quote(newGroup, groups)
		return in, nil
	}
	block := d.block(groups.Content[core])
	return in, d.onNextLine(in, block, spaces(groups.Column-1)+d.dash(groups)+s.quote(newGroup, groups))
}

// add adds a rule for the new group behind rule i.
func (d *document) add(r *role, i int) (*insertion, error) {
	node := r.all[i].node
	end, err := d.end(node)
	if err != nil {
		return nil, err
	}
	in := &insertion{path: r.path, index: i + 1, offset: end}
	s := d.style(target(node))
	if len(s.fields) != len(recorded) {
		return nil, errors.New("the rule is put together elsewhere, too")
	}
	in.item = s.node()
	if flow(r.rules) {
		in.text = d.separator(r.rules, ", ") + s.braces()
		return in, nil
	}
	dash := spaces(r.rules.Column-1) + d.dash(r.rules)
	text := s.braces()
	if !flow(target(node)) {
		text = s.lines(len(dash), lineEnd(d.source))
	}
	return in, d.onNextLine(in, r.all[i].block, dash+text)
}

// onNextLine moves an insertion to a line of its own behind its offset, in the same block of a template.
func (d *document) onNextLine(in *insertion, block, text string) error {
	next := in.offset + rbacfile.LineLength(d.text[in.offset:])
	if behind := strings.TrimSpace(d.text[in.offset:next]); behind != "" && behind[0] != '#' {
		return errors.New("something follows the rule in its line")
	}
	next = d.skipActions(next, block)
	if next < 0 {
		return errors.New("the rule ends within a template block")
	}
	if d.blocks != nil && strings.HasSuffix(strings.TrimSpace(d.source[:next]), "-}}") {
		return errors.New("a template action takes away the line end in front of it")
	}
	end := lineEnd(d.source)
	in.offset, in.text = next, text+end
	if next == len(d.text) && !strings.HasSuffix(d.text, "\n") {
		in.text = end + text
	}
	return nil
}

// skipActions returns the last offset in a block before the next line of text, because what actions print there may
// belong to what is above. It returns -1 if the block has no such place.
func (d *document) skipActions(next int, block string) int {
	last := -1
	for {
		inside := d.blocks.inAction(d.offset + next)
		if !inside && d.blocks.blockAt(d.offset+next) == block {
			last = next
		}
		length := rbacfile.LineLength(d.text[next:])
		action := strings.HasPrefix(strings.TrimSpace(d.source[next:next+length]), "{{") &&
			strings.HasPrefix(strings.TrimSpace(d.text[next:next+length]), "#")
		if length == 0 || !inside && (!action || d.isComment(next) && last >= 0) {
			return last
		}
		next += length
	}
}

// isComment reports whether the action in a line is a comment, which is about what follows.
func (d *document) isComment(line int) bool {
	action := strings.TrimLeft(d.source[line:], " \t")
	return strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(action[2:], "-"), " "), "/*")
}

// apply returns text with insertions.
func apply(text string, all []*insertion) string {
	all = slices.SortedFunc(slices.Values(all), func(a, b *insertion) int { return cmp.Compare(b.offset, a.offset) })
	for _, in := range all {
		text = text[:in.offset] + in.text + text[in.offset:]
	}
	return text
}

// check parses the document with insertions. It returns an error if they change anything but what they should.
func (d *document) check(all []*insertion) error {
	want, err := parse(d.text)
	if err != nil {
		return err
	}
	ordered := slices.SortedFunc(slices.Values(all), func(a, b *insertion) int {
		return cmp.Or(cmp.Compare(b.offset, a.offset), cmp.Compare(b.index, a.index))
	})
	for _, in := range ordered {
		list := want
		for _, i := range in.path {
			list = list.Content[i]
		}
		list.Content = slices.Insert(list.Content, in.index, in.item)
	}
	got, err := parse(apply(d.text, all))
	if err != nil {
		return err
	}
	if !equal(got, want) {
		return errors.New("the file is written in a way that is not understood")
	}
	return nil
}

// equal reports whether a and b have the same meaning.
func equal(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Value == b.Value && a.ShortTag() == b.ShortTag() && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, equal)
}

func scalar(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
}

func flow(n *yaml.Node) bool { return n.Style&yaml.FlowStyle != 0 }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
