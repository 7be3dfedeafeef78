// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a marker says, and how the one behind it is written.
// Caught: core not taken for the group without a name; a name kept that narrows the new rule; braces or quotes that are
// lost; the space around a comma that is lost.
func TestMarkers(t *testing.T) {
	list := func(values ...string) []string { return values }
	for _, r := range []struct {
		text string
		rule rule
		role identity
		next string
	}{
		{`groups=core,resources=events,verbs=create;patch`,
			rule{list(""), list("events"), list("create", "patch"), nil}, identity{},
			`groups=events.k8s.io,resources=events,verbs=create;patch`},
		{`groups="";apps,resources={events, "pods/log"} , verbs={create},namespace="shop",roleName=r`,
			rule{list("", "apps"), list("events", "pods/log"), list("create"), nil}, identity{"shop", "r"},
			`groups="events.k8s.io",resources={"events"} , verbs={create,patch},namespace="shop",roleName=r`},
		{"urls=/metrics,resourceNames=a;b,verbs=\"*\" , groups=`apps`,resources=events,",
			rule{list("apps"), list("events"), list("*"), list("a", "b")}, identity{},
			`verbs="create";"patch" , groups=events.k8s.io,resources=events`},
		{` groups = "" , resources = "events" , verbs = create `, rule{list(""), list("events"), list("create"), nil},
			identity{}, `groups = "events.k8s.io" , resources = "events" , verbs = create;patch`},
	} {
		m, err := parseMarker(r.text)
		if err != nil {
			t.Errorf("%s: %v", r.text, err)
			continue
		}
		if diff := cmp.Diff(r.rule, m.rule, cmp.AllowUnexported(rule{})); diff != "" || m.role != r.role {
			t.Errorf("%s: role %v, rule (-want +got)\n%s", r.text, m.role, diff)
		}
		if got := m.successor(); got != r.next {
			t.Errorf("%s:\n got %s\nwant %s", r.text, got, r.next)
		}
	}
	for text, want := range map[string]string{
		`verbs={get`:             "no closing brace",
		`verbs="get`:             `a string has no end: "get`,
		`verbs="get"x`:           `a comma is missing before "x"`,
		`verbs=get,resources`:    `no value in "resources"`,
		`groups={a;b},verbs=get`: "no closing brace",
	} {
		if _, err := parseMarker(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
