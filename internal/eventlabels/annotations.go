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

// maxAnnotations is far below the server's 256 KiB.
const maxAnnotations = 64 << 10

// RepairAnnotations returns annotations that the API server accepts. Those with
// an invalid key are left out, and values are made valid UTF-8 and cut where the
// total would pass 64 KiB. If nothing needs repair it returns the map itself.
func RepairAnnotations(annotations map[string]string) (accepted map[string]string, repaired bool) {
	if annotationsValid(annotations) {
		return annotations, false
	}
	kept := make(map[string]string, len(annotations))
	left := maxAnnotations
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
		if size > maxAnnotations || !annotationKeyValid(k) || !utf8.ValidString(v) {
			return false
		}
	}
	return true
}

// annotationKeyValid follows the server, which compares in lower case. It is on
// the path of every annotated occurrence; validation.IsQualifiedName, which says
// the same, allocates.
func annotationKeyValid(k string) bool {
	prefix, name, prefixed := strings.Cut(k, "/")
	if !prefixed {
		name = prefix
	} else if len(validation.IsDNS1123Subdomain(strings.ToLower(prefix))) > 0 {
		return false
	}
	if name == "" || len(name) > maxKeyName || !alphanumeric(name[0]) || !alphanumeric(name[len(name)-1]) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !alphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

const maxKeyName = 63 // validation.IsQualifiedName

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
