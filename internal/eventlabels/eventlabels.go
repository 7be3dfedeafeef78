// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventlabels keeps the metadata.labels of Events as one text, such as
// "app=web,team=blue". So a series keeps them in the allocation of its other texts. It also
// repairs annotations.
package eventlabels

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
)

// maxText bounds a text, since each series has one: it is as long as the name and
// versions of an object may be.
const maxText = 4096

// Add returns the text of the labels in text and of those in more, which win. What the
// API server would refuse of more is left out, and all of it if the text would be longer
// than 4096 bytes; the error says why.
func Add(text string, more map[string]string) (string, error) {
	all := labels.Set{}
	maps.Copy(all, Parse(text))
	var problems []error
	for _, key := range slices.Sorted(maps.Keys(more)) {
		value := more[key]
		invalid := append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...)
		if len(invalid) > 0 {
			problems = append(problems, fmt.Errorf("label %q=%q: %s", key, value, strings.Join(invalid, "; ")))
			continue
		}
		all[key] = value
	}
	if sum := all.String(); len(sum) <= maxText {
		text = sum
	} else {
		problems = append(problems, fmt.Errorf("all labels together have %d bytes, and may have %d", len(sum), maxText))
	}
	return text, errors.Join(problems...)
}

// Parse returns the labels of a text that Add has made, and nil for an empty one.
func Parse(text string) map[string]string {
	if text == "" {
		return nil
	}
	all, _ := labels.ConvertSelectorToLabelsMap(text) // neither a key nor a value has a comma or an equals sign
	return all
}
