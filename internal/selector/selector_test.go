// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package selector

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/fields"
)

// set returns e in the form in which Kubernetes' own selectors read it.
func set(e *Event) fields.Set {
	s := fields.Set{}
	for i, name := range names {
		s[name] = e[i]
	}
	return s
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"type":             `selector "type": invalid selector`,
		"reasn=BackOff":    `selector "reasn=BackOff": no field "reasn", want type, reason, action, reportingController`,
		"type=Normal,x!=y": `no field "x"`,
		`reason=a\`:        "invalid",
	} {
		if s, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) || s != nil {
			t.Errorf("Parse(%q) = %v, %v, want an error with %q", text, s, err, want)
		}
	}
}

// FuzzParse checks that Kubernetes parses each selector that Parse accepts, that both select the
// same Events, and that parsing the selector's String gives the same selector.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "type=Warning", "type!=Normal,reason!=Pulled", `reason=a\,b,reason!=c\=d`, "action=Restarting", "reportingController=kubelet",
		"regarding.kind=Pod", "regarding.namespace=", "regarding.namespace=shop", "related.kind!=Pod", "related.kind==", "=", ",", "type=Normal,",
	} {
		f.Add(text, "Warning", "a,b", "Pod")
	}
	f.Fuzz(func(t *testing.T, text, eventType, reason, kind string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		e := &Event{eventType, reason, "Restarting", "kubelet", kind, "shop", kind}
		if got, want := s.Selects(e), fields.ParseSelectorOrDie(text).Matches(set(e)); got != want {
			t.Errorf("%q selects %+v: %v, want %v", text, e, got, want)
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() || again.Selects(e) != s.Selects(e) {
			t.Errorf("%q is %q, then %q, %v", text, s, again, err)
		}
	})
}
