// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
)

// selectors has selectors that an operator may set. The first one selects everything.
var selectors = []string{
	"", "type=Warning", "type!=Warning", "reason!=Pulled,reason!=BackOff", "action!=Restarting,action!=Pulled", "regarding.kind=Node",
	"regarding.namespace!=bank", "related.kind!=Pod", "reportingController=other",
}

// selectBy changes the selector of a component while it runs.
func (w *world) selectBy(args []int) {
	c := w.slot(args[0])
	c.selector = selectors[args[1]%len(selectors)]
	if err := c.base.SetSelector(c.selector); err != nil {
		w.fail("selector %q of %s: %v", c.selector, c.name, err)
	}
}

// leavesOut reports whether the selector of the component does not select an occurrence. It uses
// Kubernetes' own field selectors.
func (w *world) leavesOut(c *component, object, happening int, how style) bool {
	what, about := happenings[happening%len(happenings)], w.reference(object)
	event := fields.Set{
		"type": what.eventType, "reason": what.reason, "action": what.action, "reportingController": c.controller(),
		"regarding.kind": kindOf(about), "regarding.namespace": about.Namespace, "related.kind": "",
	}
	switch how {
	case varied, oldShape:
		// These styles have no action, so the reason stands for it.
		event["action"] = what.reason
	case madeUp:
		event["reason"] = w.madeUpReason()
	case related:
		event["related.kind"] = kindOf(w.reference(object + 1))
	}
	return !fields.ParseSelectorOrDie(c.selector).Matches(event)
}

// kindOf returns the kind of an object, as its events have it.
func kindOf(ref *corev1.ObjectReference) string {
	if ref.Kind == "Container" {
		return "Pod"
	}
	return ref.Kind
}
