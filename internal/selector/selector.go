// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package selector decides which Events an operator wants to have written. A selector has the
// syntax of Kubernetes' field selectors.
package selector

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/selection"
)

// Event contains the values of the fields that a selector can compare, in the same order as in the
// variable names.
type Event [len(names)]string

// names lists the fields that a selector can compare, as they are called in events.k8s.io/v1.
var names = [...]string{
	"type", "reason", "action", "reportingController", "regarding.kind", "regarding.namespace", "related.kind",
}

// Selector is a list of terms. It selects an Event that meets all of them. A nil Selector selects
// every Event. It never changes, so it is safe for concurrent use.
type Selector struct {
	text  string
	terms []term
}

// term compares one field with a value. This package does not use fields.Selector to compare,
// because a value that is passed as an interface is allocated, and a repeat of an occurrence must
// not allocate.
type term struct {
	// field is an index of names.
	field int
	value string
	equal bool
}

// Parse parses a selector such as "type=Warning,reason!=Pulled". It returns an error if the syntax
// is wrong or a field is unknown. For a text without terms it returns a nil Selector, which selects
// every Event.
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

// String returns the selector as a text that Parse accepts, or "" for nil.
func (s *Selector) String() string {
	if s == nil {
		return ""
	}
	return s.text
}

// Selects reports whether e meets all terms. It allocates nothing.
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
