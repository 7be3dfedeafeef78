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

// request is a row's request, read.
type request struct {
	asUser, dry       bool
	verb, group, rest string
}

// read splits a row's request. The group is the word after the verb, whatever it is.
func read(text string) request {
	var r request
	text, r.asUser = strings.CutPrefix(expand(text), "user ")
	text, r.dry = strings.CutPrefix(text, "dry ")
	r.verb, text, _ = strings.Cut(text, " ")
	r.group, r.rest, _ = strings.Cut(text, " ")
	return r
}

// next takes a word off the rest.
func (r *request) next() string {
	word, rest, _ := strings.Cut(r.rest, " ")
	r.rest = rest
	return word
}

// selectors reads field=… and the like; a selector holds no blank.
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

// tree decodes a text of the table.
func tree(text string) (object map[string]any) {
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		panic(fmt.Sprintf("parity: %s: %v", text, err))
	}
	return object
}

// edit writes edits over object.
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

// expand makes <3*x> xxx.
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
