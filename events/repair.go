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

// Repair names a change that made an event acceptable to the API server.
type Repair string

// The repairs. Each is a key of [Stats.Repaired].
const (
	// RepairAction: the action was empty, which the API server refuses, and became
	// the reason.
	RepairAction Repair = "ActionEmpty"
	// RepairReason: the reason was empty, which the API server refuses, and became
	// the action.
	RepairReason Repair = "ReasonEmpty"
	// RepairLength: a reason or action was cut to the 128 bytes that the API server
	// accepts.
	RepairLength Repair = "TooLong"
	// RepairNote: of a note over the 1024 bytes that the API server accepts the middle was
	// cut out. In Go the end of an error's text is its cause.
	RepairNote Repair = "NoteTooLong"
	// RepairUTF8: invalid UTF-8 became U+FFFD. The server would do the same, and
	// might then find the text too long.
	RepairUTF8 Repair = "InvalidUTF8"
	// RepairInstance: of a reporting instance over 128 bytes the beginning was cut off.
	RepairInstance Repair = "ReportingInstance"
	// RepairController: the reporting controller was not a qualified name, such as
	// "example.com/my-controller", which the API server requires. It became one that ends as
	// the name did, after a domain with a hash of the whole name.
	RepairController Repair = "ReportingController"
	// RepairAnnotations: annotations with an invalid key were left out, or values
	// cut to keep the total within 4096 bytes. Of later occurrences those are left out
	// that would make their series larger than that.
	RepairAnnotations Repair = "Annotations"
	// RepairRelated: related could not be referred to, or had neither a name nor a UID, and
	// was left out.
	RepairRelated Repair = "Related"
	// RepairLabels: Recorder.WithLabels got labels that the API server refuses, or more
	// than 4096 bytes. They were left out.
	RepairLabels Repair = "Labels"
)

// repairKinds gives each repair its bit in a repairSet.
var repairKinds = [...]Repair{
	RepairAction, RepairReason, RepairLength, RepairNote, RepairUTF8, RepairInstance, RepairController,
	RepairAnnotations, RepairRelated, RepairLabels,
}

// repairSet is what was repaired of one occurrence. A set costs nothing on the
// path of every occurrence, where nearly always it is empty.
type repairSet uint32

func (s *repairSet) add(kind Repair) { *s |= 1 << slices.Index(repairKinds[:], kind) }

func (s repairSet) has(kind Repair) bool { return s&(1<<slices.Index(repairKinds[:], kind)) != 0 }

// kinds lists the members.
func (s repairSet) kinds() []Repair {
	return slices.DeleteFunc(slices.Clone(repairKinds[:]), func(kind Repair) bool { return !s.has(kind) })
}

// repairs counts them by kind.
type repairs [len(repairKinds)]atomic.Int64

func (r *repairs) snapshot() map[Repair]int64 {
	m := make(map[Repair]int64, len(r))
	for i, kind := range repairKinds {
		m[kind] = r[i].Load()
	}
	return m
}

// countRepairs counts repairs, and logs each kind once per recorder.
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

// Limits of events.k8s.io/v1 in bytes (k8s.io/kubernetes
// pkg/apis/core/validation/events.go).
const (
	maxName = 128 // reason, action and reporting instance
	maxNote = 1024
)

// repairNote makes note valid UTF-8 of at most maxNote bytes, with an ellipsis in place of what
// is cut out of its middle.
func repairNote(note string, repaired *repairSet) string {
	note = repairText(note, math.MaxInt, RepairNote, repaired)
	if len(note) > maxNote {
		repaired.add(RepairNote)
	}
	return usercode.Shorten(note, maxNote)
}

// repairText makes s valid UTF-8 of at most limit bytes, cut at a rune boundary.
func repairText(s string, limit int, tooLong Repair, repaired *repairSet) string {
	if len(s) <= limit && utf8.ValidString(s) {
		return s
	}
	cut := usercode.CutRunes(s, limit) // of megabytes, look only at what can stay
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

// repairInstance makes instance valid UTF-8 within the server's limit. It keeps the end, which
// is the name of the host by default.
func repairInstance(instance string, repaired *repairSet) string {
	instance = repairText(instance, math.MaxInt, RepairInstance, repaired)
	if len(instance) > maxName {
		repaired.add(RepairInstance)
	}
	return usercode.LastRunes(instance, maxName)
}

// repairController makes name a qualified name, which the API server requires of a reporting
// controller. What is behind the last slash stays as it is where it can, and what is before
// becomes the domain, as in "shop.web.1a2b3c4d/controller" of "shop/web/controller". The
// domain ends with a hash of name, so that two controllers do not become one.
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

// unknownController is the name of a controller that has none.
const unknownController = "unknown"

// maxDomain bounds what is kept of what is before the last slash, so that with the hash and
// the name a repaired controller has no more than maxName bytes.
const maxDomain = maxName - len(".12345678/") - validation.DNS1123LabelMaxLength

// notInNames matches what a qualified name cannot have but between its parts.
var notInNames = regexp.MustCompile(`[^-_.A-Za-z0-9]`)
