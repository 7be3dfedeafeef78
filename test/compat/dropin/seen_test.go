// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/eventview"
)

// seen is what its readers get to know.
type seen struct {
	Regarding, Related         string
	Type, Reason, Action, Note string
	Reporter                   string
	Annotations                string
	Count                      int64
}

// seenOf returns stored Events as they are read through either API group: the reporter was core/v1's source once, the
// count is not the series' for those who write core/v1, and an action that repeats the reason is the SDK's, where
// the old shape has none and events.k8s.io/v1 wants one.
func seenOf(stored []eventsv1.Event) []seen {
	var all []seen
	for i := range stored {
		e := &stored[i]
		view := eventview.FromEventsV1(e)
		s := seen{
			Regarding: nameOf(e.Regarding), Type: e.Type, Reason: e.Reason, Action: e.Action, Note: e.Note,
			Reporter: view.Controller, Count: view.Count,
		}
		if e.Related != nil {
			s.Related = nameOf(*e.Related)
		}
		if s.Action == s.Reason {
			s.Action = ""
		}
		for _, key := range slices.Sorted(maps.Keys(e.Annotations)) {
			s.Annotations += key + "=" + e.Annotations[key] + ";"
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b seen) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return all
}

// nameOf returns all that identifies an object.
func nameOf(ref corev1.ObjectReference) string {
	return fmt.Sprintf("%s %s %s/%s %s %s",
		ref.APIVersion, ref.Kind, ref.Namespace, ref.Name, ref.UID, ref.FieldPath)
}

// occurrences is how often something was recorded that is stored.
func occurrences(stored []eventsv1.Event) (n int64) {
	for i := range stored {
		n += eventview.FromEventsV1(&stored[i]).Count
	}
	return n
}
