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
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/internal/usercode"
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

// MaxAnnotations bounds the annotations of an Event in bytes, names included, since each
// series has some. The server's limit is 256 KiB.
const MaxAnnotations = maxText

// RepairAnnotations returns annotations that the API server accepts. Those with
// an invalid key are left out, and values are made valid UTF-8 and cut where the
// total would pass 4096 bytes. If nothing needs repair it returns the map itself.
func RepairAnnotations(annotations map[string]string) (accepted map[string]string, repaired bool) {
	if annotationsValid(annotations) {
		return annotations, false
	}
	kept := make(map[string]string, len(annotations))
	left := MaxAnnotations
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		if !annotationKeyValid(k) || len(k) > left {
			continue
		}
		left -= len(k)
		v := usercode.CutRunes(strings.ToValidUTF8(usercode.CutRunes(annotations[k], left), "\uFFFD"), left)
		left -= len(v)
		kept[k] = v
	}
	return kept, true
}

func annotationsValid(annotations map[string]string) bool {
	size := 0
	for k, v := range annotations {
		size += len(k) + len(v)
		if size > MaxAnnotations || !annotationKeyValid(k) || !utf8.ValidString(v) {
			return false
		}
	}
	return true
}

// annotationKeyValid follows the server, which compares in lower case. It is on
// the path of every annotated occurrence; validation.IsQualifiedName, which says
// the same, allocates. A name is what a label's value is, but for the empty one.
func annotationKeyValid(k string) bool {
	prefix, name, prefixed := strings.Cut(k, "/")
	if !prefixed {
		name = k
	} else if len(validation.IsDNS1123Subdomain(strings.ToLower(prefix))) > 0 {
		return false
	}
	return name != "" && len(validation.IsValidLabelValue(name)) == 0
}
