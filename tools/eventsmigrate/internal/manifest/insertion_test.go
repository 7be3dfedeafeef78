// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"
)

// An insertion that means anything but what it should is withdrawn.
// Caught: a check that only parses; one that does not look at keys, or at what follows.
func TestCheck(t *testing.T) {
	const text = "rules:\n- apiGroups: [\"\"]\n  verbs: [get]\nother: [a] # note\n"
	for name, r := range map[string]struct {
		behind, insert, want string
	}{
		"as meant":                {`[""`, ", events.k8s.io", ""},
		"another value":           {`[""`, ", events", "not understood"},
		"a value of another kind": {`[""`, ", {events.k8s.io: 1}", "not understood"},
		"a tag":                   {`[""`, ", !x events.k8s.io", "not understood"},
		"an anchor":               {`[""`, ", &x events.k8s.io", "not understood"},
		"two values":              {`[""`, ", events.k8s.io, x", "not understood"},
		"in front":                {"apiGroups: [", "events.k8s.io, ", "not understood"},
		"another list":            {"[get", ", events.k8s.io", "not understood"},
		"a list further on":       {"[a", ", events.k8s.io", "not understood"},
		"a comment":               {"# note", ", events.k8s.io", "not understood"},
		"a key":                   {"othe", "events.k8s.io", "not understood"},
		"no YAML":                 {`[""`, ", [events.k8s.io", "did not find expected ',' or ']'"},
		"a document more":         {"# note\n", "---\n- events.k8s.io\n", "text follows the end of the document"},
	} {
		t.Run(name, func(t *testing.T) {
			d := &document{source: text, text: text, first: 1}
			if err := d.parse(); err != nil {
				t.Fatal(err)
			}
			err := d.check([]*insertion{{
				offset: strings.Index(text, r.behind) + len(r.behind), text: r.insert,
				path: []int{0, 1, 0, 1}, index: 1, item: scalar(newGroup),
			}})
			if err == nil && r.want != "" || err != nil && (r.want == "" || !strings.Contains(err.Error(), r.want)) {
				t.Errorf("%v, want %q", err, r.want)
			}
		})
	}
}
