// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"
)

// repairAnnotations returns annotations the server accepts (rule S2): those with
// an invalid key are left out, values are made valid UTF-8 and cut where the
// total would pass 64 KiB. Nothing to repair returns the map itself.
func repairAnnotations(annotations map[string]string, repaired *repairSet) map[string]string {
	if annotationsValid(annotations) {
		return annotations
	}
	repaired.add(RepairAnnotations)
	kept := make(map[string]string, len(annotations))
	left := maxAnnotations
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		if left -= len(k); left < 0 {
			break
		}
		if !annotationKeyValid(k) {
			left += len(k)
			continue
		}
		v := cutRunes(strings.ToValidUTF8(cutRunes(annotations[k], left), "\uFFFD"), left)
		left -= len(v)
		kept[k] = v
	}
	return kept
}

func annotationsValid(annotations map[string]string) bool {
	size := 0
	for k, v := range annotations {
		size += len(k) + len(v)
		if size > maxAnnotations || !annotationKeyValid(k) || !utf8.ValidString(v) {
			return false
		}
	}
	return true
}

// annotationKeyValid follows the server, which compares in lower case.
func annotationKeyValid(k string) bool {
	return len(validation.IsQualifiedName(strings.ToLower(k))) == 0
}
