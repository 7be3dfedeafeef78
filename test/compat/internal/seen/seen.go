// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package seen has Events as those see them who read them.
package seen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// Event is what its readers get to know.
type Event struct {
	Regarding, Related         string
	Type, Reason, Action, Note string
	Reporter                   string
	Annotations                string
	Count                      int32
}

// Of returns stored Events as they are read through either API group: the reporter was core/v1's source once, the
// count is not the series' for those who write core/v1, and an action that repeats the reason is the SDK's, where
// the old shape has none and events.k8s.io/v1 wants one.
func Of(stored []eventsv1.Event) []Event {
	var all []Event
	for i := range stored {
		e := &stored[i]
		s := Event{
			Regarding: name(e.Regarding), Type: e.Type, Reason: e.Reason, Action: e.Action, Note: e.Note,
			Reporter: cmp.Or(e.ReportingController, e.DeprecatedSource.Component),
			Count:    max(1, e.DeprecatedCount),
		}
		if e.Related != nil {
			s.Related = name(*e.Related)
		}
		if s.Action == s.Reason {
			s.Action = ""
		}
		if e.Series != nil {
			s.Count = e.Series.Count
		}
		for _, key := range slices.Sorted(maps.Keys(e.Annotations)) {
			s.Annotations += key + "=" + e.Annotations[key] + ";"
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Event) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return all
}

func name(ref corev1.ObjectReference) string {
	return fmt.Sprintf("%s %s %s/%s %s %s",
		ref.APIVersion, ref.Kind, ref.Namespace, ref.Name, ref.UID, ref.FieldPath)
}

// Occurrences is how often something was recorded that is stored.
func Occurrences(stored []eventsv1.Event) (n int32) {
	for _, s := range Of(stored) {
		n += s.Count
	}
	return n
}
