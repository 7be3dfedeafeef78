// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector decides which Events an operator wants, by Kubernetes' syntax of
// field selectors.
package selector

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/selection"
)

// Event has the values of the fields that a selector looks at.
type Event [len(names)]string

// names are the fields, as events.k8s.io/v1 has them.
var names = [...]string{
	"type", "reason", "action", "reportingController", "regarding.kind", "regarding.namespace", "related.kind",
}

// Selector is a list of terms, all of which an Event must meet. Nil selects every
// Event. It does not change, and is safe for concurrent use.
type Selector struct {
	text  string
	terms []term
}

// term compares one field. It is no fields.Fields, because what is passed to an
// interface is allocated, and a recorder's repeat allocates nothing.
type term struct {
	field int // in names
	value string
	equal bool
}

// Parse reads a selector such as "type=Warning,reason!=Pulled". Empty text selects every
// Event.
func Parse(text string) (*Selector, error) {
	parsed, err := fields.ParseSelector(text)
	if err != nil {
		return nil, fmt.Errorf("selector %q: %w", text, err)
	}
	s := &Selector{text: parsed.String()}
	for _, r := range parsed.Requirements() {
		field := slices.Index(names[:], r.Field)
		if field < 0 {
			return nil, fmt.Errorf("selector %q: no field %q, want %s", text, r.Field, strings.Join(names[:], ", "))
		}
		s.terms = append(s.terms, term{field, r.Value, r.Operator != selection.NotEquals})
	}
	if len(s.terms) == 0 {
		return nil, nil
	}
	return s, nil
}

// String returns the selector as Parse reads it.
func (s *Selector) String() string {
	if s == nil {
		return ""
	}
	return s.text
}

// Selects reports whether e meets all terms.
func (s *Selector) Selects(e *Event) bool {
	if s == nil {
		return true
	}
	for i := range s.terms {
		if t := &s.terms[i]; (e[t.field] == t.value) != t.equal {
			return false
		}
	}
	return true
}
