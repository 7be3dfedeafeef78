// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventlabels

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/internal/usercode"
)

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
