// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventlabels changes the labels and annotations of Events so that the API server accepts
// them, and joins the labels of an Event in one text, such as "app=web,team=blue". A series stores
// this text in the same allocation as its other texts.
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

// maxText is the maximum length in bytes of the labels of an Event, and also the maximum length of
// its annotations. Both are limited because each series keeps them in memory.
const maxText = 4096

// Add adds the labels in the map more to the labels in text, and returns the text of all these
// labels. text must be empty or a result of Add. If both contain the same key, the value in more is
// used.
//
// The error lists each label in more that was left out because the API server would refuse it. If
// the result would be longer than 4096 bytes, Add returns text unchanged, and an error that says
// so.
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

// Parse returns the labels of a text that Add has returned, or nil for an empty text.
func Parse(text string) map[string]string {
	if text == "" {
		return nil
	}
	// Keys and values have neither a comma nor an equals sign, so this cannot fail.
	all, _ := labels.ConvertSelectorToLabelsMap(text)
	return all
}

// MaxAnnotations is the maximum total length in bytes of the annotations of an Event, including
// their names. The server allows 256 KiB, but each series keeps its annotations in memory.
const MaxAnnotations = maxText

// RepairAnnotations returns annotations that the API server accepts, of at most MaxAnnotations
// bytes together. It takes the annotations in the order of their names. It leaves out an annotation
// whose name is invalid or no longer fits, makes values valid UTF-8, and cuts a value that does not
// fit.
//
// If nothing needs a repair, it returns the same map and false.
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

// annotationsValid reports whether RepairAnnotations has nothing to change.
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

// annotationKeyValid reports whether the API server accepts k as the name of an annotation. The
// result is that of validation.IsQualifiedName for k in lower case, which is what the server
// checks. annotationKeyValid does not call that function, because it allocates and is therefore too
// expensive for every annotated occurrence. The part after the prefix has the syntax of a label's
// value, except that it must not be empty.
func annotationKeyValid(k string) bool {
	prefix, name, prefixed := strings.Cut(k, "/")
	if !prefixed {
		name = k
	} else if len(validation.IsDNS1123Subdomain(strings.ToLower(prefix))) > 0 {
		return false
	}
	return name != "" && len(validation.IsValidLabelValue(name)) == 0
}
