// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import "k8s.io/apimachinery/pkg/runtime"

// occurrence is one call.
type occurrence struct {
	regarding, related         runtime.Object
	annotations                map[string]string
	kind, reason, action, note string
	args                       []any
	verbatim                   bool // the note is no format
	formatted                  bool // the note is what goes on the wire
	repaired                   repairSet
	of, with                   versions // of the regarding and the related object
}

// unspecified stands in when neither a reason nor an action was given.
const unspecified = "Unspecified"

// repairNames makes reason and action acceptable.
func (o *occurrence) repairNames() {
	if o.reason == "" {
		if o.reason = o.action; o.reason == "" {
			o.reason = unspecified
		}
		o.repaired.add(RepairReason)
	}
	if o.action == "" {
		o.action = o.reason
		o.repaired.add(RepairAction)
	}
	o.reason = repairText(o.reason, maxName, RepairLength, &o.repaired)
	o.action = repairText(o.action, maxName, RepairLength, &o.repaired)
}
