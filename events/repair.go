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
// repair is counted in [Stats.Repaired], and each kind is logged once for a recorder, because the
// code that records should be corrected.
type Repair string

// The repairs. Each is a key of [Stats.Repaired].
const (
	// RepairAction: the action was empty, which the API server refuses. It was replaced by the
	// reason.
	RepairAction Repair = "ActionEmpty"
	// RepairReason: the reason was empty, which the API server refuses. It was replaced by the
	// action, or by "Unspecified" if that was empty, too.
	RepairReason Repair = "ReasonEmpty"
	// RepairLength: the reason or the action was longer than 128 bytes, the limit of the API
	// server. Its end was cut off.
	RepairLength Repair = "TooLong"
	// RepairNote: the note was longer than 1024 bytes, the limit of the API server. Its middle was
	// replaced by "…", because the text of an error in Go ends with the cause.
	RepairNote Repair = "NoteTooLong"
	// RepairUTF8: a text was not valid UTF-8. Each invalid part was replaced by U+FFFD. The API
	// server would do the same, but it would refuse the text if the replacement made it too long.
	RepairUTF8 Repair = "InvalidUTF8"
	// RepairInstance: the reporting instance was longer than 128 bytes, the limit of the API
	// server. Its beginning was cut off, because by default its end is the name of the host.
	RepairInstance Repair = "ReportingInstance"
	// RepairController: the reporting controller was not a qualified name, such as
	// "example.com/my-controller", which the API server requires. It was replaced by a qualified
	// name that has the same end, and a hash of the whole name in its domain.
	RepairController Repair = "ReportingController"
	// RepairAnnotations: the annotations had an invalid key, or more than 4096 bytes together.
	// Annotations with invalid keys were left out, and values that did not fit were cut or left
	// out. This limit is on all annotations of a series, so it may concern an occurrence with few
	// of them.
	RepairAnnotations Repair = "Annotations"
	// RepairRelated: no reference could be made to the related object, or it had neither a name nor
	// a UID. It was left out.
	RepairRelated Repair = "Related"
	// RepairLabels: labels that were passed to [Recorder.WithLabels] had an invalid key or value,
	// or there would have been more than 4096 bytes of labels. They were left out.
	RepairLabels Repair = "Labels"
)

// repairKinds has the kinds of repair. The position of a kind is the number of its bit in a
// repairSet.
var repairKinds = [...]Repair{
	RepairAction, RepairReason, RepairLength, RepairNote, RepairUTF8, RepairInstance, RepairController,
	RepairAnnotations, RepairRelated, RepairLabels,
}

// repairSet is a set of kinds of repair. It is an integer, so that it costs nothing for the usual
// occurrence, which needs no repair.
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

// countRepairs counts repairs, and logs each kind once for a recorder and its copies.
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

// repairNote makes note valid UTF-8 and replaces the middle of a note of more than maxNote bytes by
// an ellipsis.
func repairNote(note string, repaired *repairSet) string {
	note = repairText(note, math.MaxInt, RepairNote, repaired)
	if len(note) > maxNote {
		repaired.add(RepairNote)
	}
	return usercode.Shorten(note, maxNote)
}

// repairText makes s valid UTF-8 and cuts it to at most limit bytes, without splitting a rune.
// tooLong is the repair that a cut is counted as.
func repairText(s string, limit int, tooLong Repair, repaired *repairSet) string {
	if len(s) <= limit && utf8.ValidString(s) {
		return s
	}
	// s may have megabytes, of which only the beginning can remain.
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

// repairInstance makes instance valid UTF-8 and cuts it to the limit of the server. It keeps the
// end, which is the name of the host by default.
func repairInstance(instance string, repaired *repairSet) string {
	instance = repairText(instance, math.MaxInt, RepairInstance, repaired)
	if len(instance) > maxName {
		repaired.add(RepairInstance)
	}
	return usercode.LastRunes(instance, maxName)
}

// repairController returns a qualified name for a reporting controller, which the API server
// requires. It returns a valid name unchanged. Otherwise the text behind the last slash becomes the
// name, with "-" in place of invalid characters, and the text in front of the slash becomes the
// domain. The domain ends with a hash of the whole name, so that two controllers do not get the
// same name: "shop/web/controller" becomes "shop.web.1a2b3c4d/controller".
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

// unknownController replaces an empty name of a controller.
const unknownController = "unknown"

// maxDomain is the largest number of bytes of the domain without its hash, so that the repaired
// name of a controller has at most maxName bytes.
const maxDomain = maxName - len(".12345678/") - validation.DNS1123LabelMaxLength

// notInNames matches a character that the name part of a qualified name cannot have.
var notInNames = regexp.MustCompile(`[^-_.A-Za-z0-9]`)
