// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eventseries/eventseries/internal/usercode"
)

// Repair is a kind of change that the SDK makes to an Event so that the API server accepts it. Each
// repair is counted in [Stats.Repaired]. A recorder and its copies together log each kind only
// once, so that somebody can correct the code that records the Event.
type Repair string

// The repairs. Each is a key of [Stats.Repaired].
const (
	// RepairAction: the action was empty, which the API server refuses. It was replaced by the
	// reason.
	RepairAction Repair = "ActionEmpty"
	// RepairReason: the reason was empty, which the API server refuses. It was replaced by the
	// action, or by "Unspecified" if the action was empty too.
	RepairReason Repair = "ReasonEmpty"
	// RepairLength: the reason or the action was longer than 128 bytes, the limit of the API
	// server. It was truncated.
	RepairLength Repair = "TooLong"
	// RepairNote: the note was longer than 1024 bytes, the limit of the API server. Its middle was
	// replaced with "…", to keep the end, because the text of a Go error ends with the cause.
	RepairNote Repair = "NoteTooLong"
	// RepairUTF8: a text was not valid UTF-8. Each invalid part was replaced with U+FFFD. The API
	// server does the same, but then refuses the text if the replacement makes it too long.
	RepairUTF8 Repair = "InvalidUTF8"
	// RepairInstance: the reporting instance was longer than 128 bytes, the limit of the API
	// server. Its beginning was cut off, to keep the end, which by default is the name of the host.
	RepairInstance Repair = "ReportingInstance"
	// RepairController: the reporting controller was not a qualified name, such as
	// "example.com/my-controller", which the API server requires. It was replaced with a qualified
	// name that ends the same way and whose domain contains a hash of the original name.
	RepairController Repair = "ReportingController"
	// RepairAnnotations: an annotation key was invalid, or the annotations exceeded 4096 bytes in
	// total. Annotations with invalid keys were left out, and values that did not fit were
	// truncated or left out. The limit applies to all annotations of a series together, so even an
	// occurrence with few annotations can exceed it.
	RepairAnnotations Repair = "Annotations"
	// RepairRelated: no reference to the related object could be made, or the object had neither a
	// name nor a UID. The related object was left out.
	RepairRelated Repair = "Related"
	// RepairLabels: labels passed to [Recorder.WithLabels] had an invalid key or value, or would
	// have exceeded 4096 bytes in total. They were left out.
	RepairLabels Repair = "Labels"
)

// repairKinds lists all kinds of repair. The index of a kind is the number of its bit in a
// repairSet.
var repairKinds = [...]Repair{
	RepairAction, RepairReason, RepairLength, RepairNote, RepairUTF8, RepairInstance, RepairController,
	RepairAnnotations, RepairRelated, RepairLabels,
}

// repairSet is a set of kinds of repair. It is an integer, so it costs nothing for most
// occurrences, which need no repair.
type repairSet uint32

func (s *repairSet) add(kind Repair) { *s |= 1 << slices.Index(repairKinds[:], kind) }

func (s repairSet) has(kind Repair) bool { return s&(1<<slices.Index(repairKinds[:], kind)) != 0 }

// kinds returns the kinds in the set, in the order of repairKinds.
func (s repairSet) kinds() []Repair {
	return slices.DeleteFunc(slices.Clone(repairKinds[:]), func(kind Repair) bool { return !s.has(kind) })
}

// repairs counts repairs by kind, in the order of repairKinds.
type repairs [len(repairKinds)]atomic.Int64

func (r *repairs) snapshot() map[Repair]int64 {
	m := make(map[Repair]int64, len(r))
	for i, kind := range repairKinds {
		m[kind] = r[i].Load()
	}
	return m
}

// countRepairs counts repairs. It logs each kind only once for the recorder and all copies of it
// together.
func (r *Recorder) countRepairs(repaired repairSet) {
	if repaired == 0 {
		return
	}
	logged := repairSet(r.loggedRepairs.Or(uint32(repaired)))
	for i, kind := range repairKinds {
		if repaired.has(kind) {
			r.b.repairs[i].Add(1)
		}
		if (repaired &^ logged).has(kind) {
			r.logger.Info("Event repaired so that the API server accepts it; fix the call. "+
				"Later repairs of this kind are only counted", "advice", "repaired",
				"repair", string(kind), "controller", r.controller)
		}
	}
}

// Limits of events.k8s.io/v1 in bytes (k8s.io/kubernetes pkg/apis/core/validation/events.go).
const (
	// maxName is the limit on the reason, the action and the reporting instance.
	maxName = 128
	maxNote = 1024
)

// repairNote returns note as valid UTF-8. If it is longer than maxNote bytes, its middle is
// replaced with an ellipsis.
func repairNote(note string, repaired *repairSet) string {
	note = repairText(note, math.MaxInt, RepairNote, repaired)
	if len(note) > maxNote {
		repaired.add(RepairNote)
	}
	return usercode.Shorten(note, maxNote)
}

// repairText returns s as valid UTF-8, truncated to at most limit bytes without splitting a rune.
// If it has to truncate s, it adds the parameter tooLong, a kind of repair, to *repaired.
func repairText(s string, limit int, tooLong Repair, repaired *repairSet) string {
	if len(s) <= limit && utf8.ValidString(s) {
		return s
	}
	// s may be megabytes long. Only its beginning can remain, so the rest need not be checked.
	cut := usercode.CutRunes(s, limit)
	valid := strings.ToValidUTF8(cut, "\uFFFD")
	if valid != cut {
		repaired.add(RepairUTF8)
	}
	if len(s) <= limit && len(valid) <= limit {
		return valid
	}
	repaired.add(tooLong)
	return usercode.CutRunes(valid, limit)
}

// repairInstance returns instance as valid UTF-8. If instance is longer than the server allows, its
// beginning is cut off. Its end is kept, because by default the end is the name of the host.
func repairInstance(instance string, repaired *repairSet) string {
	instance = repairText(instance, math.MaxInt, RepairInstance, repaired)
	if len(instance) > maxName {
		repaired.add(RepairInstance)
	}
	return usercode.LastRunes(instance, maxName)
}

// repairController returns a qualified name for a reporting controller, which the API server
// requires. It returns a valid name unchanged. Otherwise the text after the last slash becomes the
// name, with invalid characters replaced with "-", and the text before the slash becomes the
// domain. The domain ends with a hash of the whole name, so that no two controllers get the same
// name: "shop/web/controller" becomes "shop.web.1a2b3c4d/controller".
func repairController(name string, repaired *repairSet) string {
	if len(validation.IsQualifiedName(name)) == 0 {
		return name
	}
	repaired.add(RepairController)
	if name == "" {
		return unknownController
	}
	slash := strings.LastIndexByte(name, '/')
	words := strings.FieldsFunc(strings.ToLower(name[:max(slash, 0)]), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	domain := usercode.CutRunes(strings.Join(words, "."), maxDomain)
	hash := sha256.Sum256([]byte(name))
	domain = strings.TrimLeft(fmt.Sprintf("%s.%x", strings.TrimRight(domain, "."), hash[:4]), ".")
	const ends = "-_."
	own := strings.Trim(notInNames.ReplaceAllString(name[slash+1:], "-"), ends)
	own = strings.TrimRight(usercode.CutRunes(own, validation.DNS1123LabelMaxLength), ends)
	return domain + "/" + cmp.Or(own, unknownController)
}

// unknownController replaces an empty controller name.
const unknownController = "unknown"

// maxDomain is the maximum length of the domain without its hash, in bytes. It keeps a repaired
// controller name within maxName bytes.
const maxDomain = maxName - len(".12345678/") - validation.DNS1123LabelMaxLength

// notInNames matches a character that the name part of a qualified name cannot contain.
var notInNames = regexp.MustCompile(`[^-_.A-Za-z0-9]`)
