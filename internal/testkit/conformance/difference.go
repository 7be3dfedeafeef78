// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"fmt"
	"strings"

	eventsv1 "k8s.io/api/events/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
)

// differences has a line for each field in which got differs from want. A sink may add annotations, other metadata, and
// the fields that only readers of core/v1 use.
func differences(want, got *eventsv1.Event) string {
	var lines strings.Builder
	differ := func(field string, want, got any) {
		if !apiequality.Semantic.DeepEqual(want, got) {
			fmt.Fprintf(&lines, "\n  %s: %s, want %s", field, show(got), show(want))
		}
	}
	differ("metadata.namespace", want.Namespace, got.Namespace)
	differ("metadata.name", want.Name, got.Name)
	for key, value := range want.Annotations {
		differ("metadata.annotations["+key+"]", value, got.Annotations[key])
	}
	differ("eventTime", want.EventTime, got.EventTime)
	differ("series", want.Series, got.Series)
	differ("reportingController", want.ReportingController, got.ReportingController)
	differ("reportingInstance", want.ReportingInstance, got.ReportingInstance)
	differ("action", want.Action, got.Action)
	differ("reason", want.Reason, got.Reason)
	differ("regarding", want.Regarding, got.Regarding)
	differ("related", want.Related, got.Related)
	differ("note", want.Note, got.Note)
	differ("type", want.Type, got.Type)
	return lines.String()
}

// show formats a field for messages.
func show(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case *eventsv1.EventSeries:
		if v == nil {
			return "none"
		}
		return fmt.Sprintf("count %d at %v", v.Count, v.LastObservedTime.UTC())
	case fmt.Stringer:
		return v.String()
	default:
		return fmt.Sprintf("%+v", v)
	}
}
