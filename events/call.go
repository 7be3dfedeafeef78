// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// call is one call of a Recorder, on its way to an occurrence.
type call struct {
	series.Occurrence
	regarding, related runtime.Object
	args               []any
	verbatim           bool // the note is no format
	formatted          bool // the note is as it goes on the wire
	asIs               bool // texts are not repaired
	repaired           repairSet
}

// set sets what every call has. It saves copying a call, which is half a kilobyte.
func (c *call) set(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c.regarding, c.related = regarding, related
	c.Type, c.Reason, c.Action, c.Note = eventtype, reason, action, note
}

// addAnnotations adds those that the call does not set itself.
func (c *call) addAnnotations(annotations map[string]string) {
	if len(c.Annotations) > 0 {
		annotations = maps.Clone(annotations)
		maps.Copy(annotations, c.Annotations)
	}
	c.Annotations = annotations
}

// unspecified stands in when neither a reason nor an action was given.
const unspecified = "Unspecified"

// fillNames gives one of reason and action in place of the other, which the API server
// refuses to be empty.
func (c *call) fillNames() {
	if c.Reason == "" {
		c.Reason = cmp.Or(c.Action, unspecified)
		c.repaired.add(RepairReason)
	}
	if c.Action == "" {
		c.Action = c.Reason
		c.repaired.add(RepairAction)
	}
}

// check makes the texts acceptable to the API server, if that can be done.
func (c *call) check() error {
	c.Unchecked = false
	c.repairNames()
	if !series.PlainLabel(c.Namespace) {
		return fmt.Errorf("the regarding object's namespace %q is not a DNS label", c.Namespace)
	}
	return nil
}

// repairNames cuts reason and action, and makes them valid UTF-8.
func (c *call) repairNames() {
	c.Reason = c.repair(c.Reason, maxName, RepairLength)
	c.Action = c.repair(c.Action, maxName, RepairLength)
}

// repair is repairText, unless the texts are not to be repaired.
func (c *call) repair(text string, limit int, tooLong Repair) string {
	if c.asIs {
		return text
	}
	return repairText(text, limit, tooLong, &c.repaired)
}

// formatNote turns the note and its args into what goes on the wire, once.
func (c *call) formatNote() {
	if c.formatted {
		return
	}
	if !c.verbatim {
		c.Note = usercode.FormatNote(c.Note, c.args)
	}
	c.Note, c.formatted = c.repair(c.Note, maxNote, RepairNote), true
}
