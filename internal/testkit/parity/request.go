// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// request is the parsed request of a row. The package comment describes its parts.
type request struct {
	asUser, dry       bool
	verb, group, rest string
}

// read parses the request of a row. The word after the verb becomes group, even if it is not an API
// group.
func read(text string) request {
	var r request
	text, r.asUser = strings.CutPrefix(expand(text), "user ")
	text, r.dry = strings.CutPrefix(text, "dry ")
	r.verb, text, _ = strings.Cut(text, " ")
	r.group, r.rest, _ = strings.Cut(text, " ")
	return r
}

// next removes the first word from rest and returns it.
func (r *request) next() string {
	word, rest, _ := strings.Cut(r.rest, " ")
	r.rest = rest
	return word
}

// selectors parses the words such as field=… in rest. A selector cannot contain spaces.
func (r *request) selectors() metav1.ListOptions {
	var options metav1.ListOptions
	for _, word := range strings.Fields(r.rest) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "field":
			options.FieldSelector = value
		case "label":
			options.LabelSelector = value
		case "version":
			options.ResourceVersion = value
		}
	}
	return options
}

// tree decodes a JSON object of the table. It panics if the text is invalid.
func tree(text string) (object map[string]any) {
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(fmt.Sprintf("parity: %s: %v", text, err))
	}
	return object
}

// edit returns a copy of object in which the values of edits replace existing values. Nested
// objects are merged.
func edit(object, edits map[string]any) map[string]any {
	object = maps.Clone(object)
	for name, value := range edits {
		below, isTree := object[name].(map[string]any)
		if change, ok := value.(map[string]any); ok && isTree {
			value = edit(below, change)
		}
		object[name] = value
	}
	return object
}

var repeated = regexp.MustCompile(`<([0-9]+)\*([^>]+)>`)

// expand replaces repetitions such as <3*x> with the repeated text, here xxx.
func expand(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		n, err := strconv.Atoi(parts[1])
		if err != nil {
			return found
		}
		return strings.Repeat(parts[2], n)
	})
}
