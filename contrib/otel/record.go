// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otelevents

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/eventview"
)

// newRecord returns the record of a write. It shares only strings with event. If known is false,
// because the sink was not called by a broadcaster, the record has no delta.
func newRecord(event *eventsv1.Event, write events.Write, known bool) (r log.Record) {
	view := eventview.FromEventsV1(event)
	if !known {
		write.Total = view.Count
	}
	r.SetTimestamp(view.Last)
	r.SetSeverity(severityOf(event.Type))
	r.SetSeverityText(event.Type)
	r.SetBody(attribute.StringValue(view.NewestNote))
	r.AddAttributes(attributes(event, write, known)...)
	return r
}

func severityOf(eventType string) log.Severity {
	if eventType == corev1.EventTypeWarning {
		return log.SeverityWarn
	}
	return log.SeverityInfo
}

// attributes returns the attributes of a record, without empty values.
func attributes(event *eventsv1.Event, write events.Write, known bool) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, 20)
	add := func(key, value string) {
		if value != "" {
			all = append(all, attribute.String(key, value))
		}
	}
	if known {
		all = append(all, attribute.Int64("eventseries.delta", write.Delta))
	}
	all = append(all, attribute.Int64("k8s.event.count", write.Total))
	add("k8s.event.name", event.Name)
	add("k8s.event.reason", event.Reason)
	add("k8s.event.action", event.Action)
	add("k8s.event.start_time", event.EventTime.UTC().Format(time.RFC3339Nano))
	add("k8s.namespace.name", event.Regarding.Namespace)
	add("k8s.object.kind", event.Regarding.Kind)
	add("k8s.object.name", event.Regarding.Name)
	add("k8s.object.uid", string(event.Regarding.UID))
	add("k8s.object.api_version", event.Regarding.APIVersion)
	add("k8s.object.resource_version", event.Regarding.ResourceVersion)
	add("k8s.object.fieldpath", event.Regarding.FieldPath)
	if related := event.Related; related != nil {
		add("eventseries.related.kind", related.Kind)
		add("eventseries.related.name", related.Name)
		add("eventseries.related.namespace", related.Namespace)
	}
	if link := parse(event.Annotations[traceLink], ""); link.IsValid() && !spanOf(event.Annotations).IsValid() {
		add("eventseries.link.trace_id", link.TraceID().String())
		add("eventseries.link.span_id", link.SpanID().String())
	}
	add("eventseries.reporting_controller", event.ReportingController)
	add("eventseries.reporting_instance", event.ReportingInstance)
	return all
}
