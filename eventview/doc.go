// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventview reads Events of every writer, through core/v1 and events.k8s.io/v1.
//
// # One view of an Event
//
// An Event has five fields for times and two for counts, and each writer fills in different ones.
// [FromEventsV1], [FromCoreV1] and [FromUnstructured] turn an Event into one [Event], whose fields
// have the same meaning for all writers:
//
//	field       | value: the first of these that is set
//	First       | eventTime, firstTimestamp, creationTimestamp, Last. Exception:
//	            | firstTimestamp, if eventTime is in a later second
//	Last        | the latest of series.lastObservedTime, lastTimestamp, eventTime and
//	            | firstTimestamp, otherwise creationTimestamp; never before First
//	Count       | the higher one of series.count and count, at least 1
//	Controller  | reportingController, source.component
//	Instance    | reportingInstance, source.host
//	NewestNote  | the annotation eventseries.dev/latest-note, the note
//	Created     | creationTimestamp
//
// The writers fill in these fields:
//
//	writer                                      | times                             | counts
//	client-go's tools/record, and so kubelet,   | firstTimestamp, lastTimestamp     | count
//	  Flux and most controllers; package legacy |                                   |
//	client-go's tools/events, package events    | eventTime, and from the second    | series.count from the
//	                                            | occurrence series.lastObservedTime| second occurrence
//	package adapter while it writes core/v1     | all of them                       | both, and they agree
//	KubeBlocks                                  | firstTimestamp; eventTime and     | count
//	                                            | lastTimestamp are of the newest   |
//	Argo CD, java-operator-sdk, other writers   | firstTimestamp, lastTimestamp, or | count, or none
//	  of single Events                          | eventTime, or none                |
//
// The time of the newest occurrence is therefore in series.lastObservedTime, in lastTimestamp or in
// eventTime. A reader that takes the first of these fields that is set gets a wrong time for the
// Events of some writer, whatever the order in which the reader looks at the fields.
//
// # New occurrences
//
// A reader gets the same Event many times: after each update, again after a restart of the reader,
// and as a new object if the Event has expired and its writer has created it again with the old
// count. So neither the sum of the counts nor the number of updates is the number of occurrences. A
// [Tracker] returns how many occurrences each reading adds. [Watch] lists and watches Events, and
// calls a Tracker for each of them.
//
// # Summaries
//
// [GroupBy] groups Events, the most urgent group first. [Digest] summarises Events in a few lines
// of text.
package eventview
