// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
)

// author writes roles in a style of his own.
type author struct {
	*rand.Rand
	rules, keys, items int // spaces in front of a rule's dash, behind it, and in front of an item's
	quote, comma, pad  string
}

func newAuthor(seed uint64) *author {
	a := &author{Rand: rand.New(rand.NewPCG(seed, 0))}
	a.rules, a.keys, a.items = 2*a.IntN(3), 1+a.IntN(3), 2*a.IntN(3)
	a.quote, a.comma, a.pad = a.pick("", "'", `"`), a.pick(",", ", ", " , "), a.pick("", " ")
	return a
}

func (a *author) pick(from ...string) string { return from[a.IntN(len(from))] }

// item writes a value that may have to be quoted.
func (a *author) item(value string) string {
	quote := a.quote
	if quote == "" && (value == "" || value == "*") {
		quote = a.pick("'", `"`)
	}
	return quote + value + quote
}

func (a *author) brackets(values ...string) string {
	var all []string
	for _, value := range values {
		all = append(all, a.item(value))
	}
	comma := a.comma
	if a.quote == "" {
		comma = strings.TrimLeft(comma, " ") // a plain item ends where the space begins, so let it be
	}
	return "[" + a.pad + strings.Join(all, comma) + a.pad + "]"
}

func (a *author) comment() string { return a.pick("", "", "", " # why", "   ") }

// rule writes a rule with its dash.
func (a *author) rule(groups, resources, verbs []string) string {
	fields := []struct {
		key    string
		values []string
	}{{"apiGroups", groups}, {"resources", resources}, {"verbs", verbs}}
	a.Shuffle(3, func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	dash := spaces(a.rules) + "-" + spaces(a.keys)
	if a.IntN(6) == 0 {
		var all []string
		for _, f := range fields {
			all = append(all, f.key+": "+a.brackets(f.values...))
		}
		return dash + "{" + a.pad + strings.Join(all, ", ") + a.pad + "}" + a.comment() + "\n"
	}
	text := ""
	for _, f := range fields {
		indent := dash
		if text != "" {
			indent = spaces(len(dash))
		}
		if a.IntN(3) == 0 {
			text += indent + f.key + ": " + a.brackets(f.values...) + a.comment() + "\n"
			continue
		}
		text += indent + f.key + ":" + a.comment() + "\n"
		for _, value := range f.values {
			text += spaces(len(dash)+a.items) + "- " + a.item(value) + a.comment() + "\n"
		}
	}
	return text
}

// role writes a role of some rules, one of which lets Events be recorded through core/v1.
func (a *author) role(name int) string {
	some := func() string {
		if a.IntN(3) > 0 {
			return ""
		}
		return a.pick("", spaces(a.rules)+"# about apps\n", "\n", "# at the margin\n\n") +
			a.rule([]string{a.pick("apps", "", "*")}, []string{"deployments", "pods"}, []string{"get", "patch"})
	}
	groups := [][]string{{""}, {"", "apps"}, {"apps", ""}}[a.IntN(3)]
	resources := [][]string{{"events"}, {"events"}, {"pods", "events"}, {"*"}}[a.IntN(4)]
	verbs := [][]string{{"create", "patch"}, {"*"}, {"create"}, {"get", "patch", "create", "update"}}[a.IntN(4)]
	return fmt.Sprintf("---%s\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata:\n  name: r%d\nrules:\n",
		a.comment(), a.pick("Role", "ClusterRole"), name) + some() + some() + a.rule(groups, resources, verbs) + some()
}

// Whatever style an author has, his roles are migrated in it: by edits that parse, with no other value changed, and
// nothing left to a human.
// Caught: a rule glued to a last line without an end; a rule for create alone that is extended; * not understood.
func TestAuthors(t *testing.T) {
	for seed := range uint64(200) {
		a := newAuthor(seed)
		text := a.role(1) + a.role(2)
		if a.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if a.IntN(4) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		files := fstest.MapFS{"role.yaml": {Data: []byte(text)}}
		got := plan(t, files, Facts{})
		if len(got.Edits) != 1 || strings.Contains(findings(got), "human ") {
			t.Fatalf("author %d: %d edits\n%s\n%s", seed, len(got.Edits), findings(got), text)
		}
		sound(t, files, Facts{}, got)
		migrated(t, text, string(got.Edits[0].After))
		if t.Failed() {
			t.Fatalf("author %d\n%s", seed, got.Edits[0].After)
		}
	}
}
