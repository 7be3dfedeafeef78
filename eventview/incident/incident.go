// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package incident

import (
	"slices"
	"strconv"
	"time"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/usercode"
)

// State is the state of an [Incident].
type State string

// The states of an incident.
const (
	// Open is the state when the incident begins, and when it goes on after it was over.
	Open State = "open"
	// Growing is the state when the number of objects has doubled since the last report.
	Growing State = "growing"
	// Over is the state when nothing of the incident has occurred for a while.
	Over State = "over"
)

// Incident is a failure that many Events report.
type Incident struct {
	// ID is the same after a restart and in another replica. The package documentation says when it
	// is not.
	ID    string `json:"id"`
	State State  `json:"state"`
	// Reason, Controller and Note are from the first Event that says why something failed, or from
	// the first Event if none does. Note has no control characters and at most 256 bytes.
	Reason     string `json:"reason"`
	Controller string `json:"controller,omitempty"`
	Note       string `json:"note"`
	// FirstObject is the object that was hit first.
	FirstObject eventview.Object `json:"firstObject"`
	// Objects is the number of objects that were hit.
	Objects int `json:"objects"`
	// First and Last are the times of the first and of the newest occurrence.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Before says what else began in the five minutes before First, the newest first. It is a hint
	// where to look for the cause, and may have nothing to do with the incident.
	Before []string `json:"before,omitempty"`
}

const (
	// maxNoteShown is the maximum length of the texts of an incident, in bytes.
	maxNoteShown = 256
	// maxVariants is the maximum number of templates of an incident.
	maxVariants = 4
)

// entry is an incident, or the suspicion of one. The fields are exported because the checkpoint has
// them.
type entry struct {
	Incident
	Number uint32
	// Key is the ID as a number.
	Key uint64
	// Canonical is the canonical reason.
	Canonical string
	Vague     bool
	// Family is the family of the first object.
	Family string
	// Variants are the notes of the incident.
	Variants []variant
	// Grown is the latest begin of an Event of the incident.
	Grown time.Time
	// Serious is true if the incident may be reported when it has lasted for a minute.
	Serious bool
	// Opened is true if the incident is one, and no suspicion any more.
	Opened bool
	// Reported is the number of objects in the last report, or 0.
	Reported int
	// Sick is the number of objects that have not recovered. Late is the number of those whose
	// newest count may be written late.
	Sick int
	Late int
}

// variant is one note of an incident.
type variant struct {
	Key   uint64
	Shape shape
}

// idOf returns the ID of an incident that begins with an Event. An incident with this ID is the
// same one.
func idOf(e *eventview.Event, c *cause, first time.Time) uint64 {
	// Two families may fail in the same hour for different reasons, with the same canonical reason.
	family := ""
	if c.byReason {
		family = familyOf(&e.Regarding)
	}
	hour := first.Truncate(memory).Unix()
	return hash("incident", strconv.FormatUint(c.key, 16), family, strconv.FormatInt(hour, 10))
}

// describe takes the description of the incident from an Event.
func (inc *entry) describe(e *eventview.Event, c *cause) {
	inc.Canonical = c.reason
	inc.Vague = c.vague
	inc.Reason = usercode.Plain(e.Reason, maxNoteShown)
	inc.Controller = usercode.Plain(e.Controller, maxNoteShown)
	inc.Note = usercode.Plain(e.Note, maxNoteShown)
}

// takes reports whether the incident, which has the key of the cause, goes on with an Event that
// begins at a time. A cause that is a reason alone may be another failure if it begins later, for
// example of another node.
func (inc *entry) takes(c *cause, first time.Time) bool {
	if c.byReason {
		return inc.lasts(first) && first.Sub(inc.Grown).Abs() <= quiet
	}
	return !first.After(inc.Last.Add(memory))
}

// lasts reports whether the incident lasts at a time.
func (inc *entry) lasts(at time.Time) bool { return !at.After(inc.end()) }

// end returns the time after which the incident is over unless it occurs again.
func (inc *entry) end() time.Time {
	switch {
	case inc.Late > 0:
		return inc.Last.Add(lateQuiet)
	case !inc.Opened && !inc.Serious:
		return inc.Last.Add(hold)
	}
	return inc.Last.Add(quiet)
}

// sameOperation reports whether the Event has the controller and the reason of the incident.
func (inc *entry) sameOperation(e *eventview.Event) bool {
	return inc.Controller == e.Controller && inc.Canonical == e.Reason
}

// resembles reports whether a note has half of its words in common with a note of the incident. If
// end is true, most of the words after the last colon must be common, too.
func (inc *entry) resembles(c *cause, end bool) bool {
	return slices.ContainsFunc(inc.Variants, func(v variant) bool {
		return overlap(v.Shape.Words, c.Words, 2) && (!end || overlap(v.Shape.End, c.End, 3))
	})
}
