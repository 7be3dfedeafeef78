// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventview reads Events of every writer, through core/v1 and events.k8s.io/v1.
//
// # One view of an Event
//
// An Event has five fields for times and two for counts, and each writer fills in different ones.
// [FromEventsV1], [FromCoreV1] and [FromUnstructured] convert an Event of the API into the type
// [Event] of this package, whose fields have the same meaning for all writers:
//
//	field       | value: the first of these that is set
//	First       | eventTime, firstTimestamp, creationTimestamp, Last. Exception:
//	            | firstTimestamp, if eventTime is in a later second, because some
//	            | writers move eventTime to the newest occurrence
//	Last        | the latest of series.lastObservedTime, lastTimestamp, eventTime and
//	            | firstTimestamp, otherwise creationTimestamp. If that is earlier
//	            | than First, it is First
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
// eventTime. A reader must not look at these fields in a fixed order, and take the first one that
// is set. If it begins with eventTime, for example, it gets the time of the first occurrence for
// each repeated Event of client-go's tools/events. For every other order, too, there is an Event
// for which the time is wrong. So Last is the latest of these times.
//
// # New occurrences
//
// A reader gets the same Event many times: after each update, again after a restart of the reader,
// and as a new object if the Event has expired and its writer has created it again with the old
// count. So neither the sum of the counts nor the number of updates is the number of occurrences.
// Pass each Event that you receive to a [Tracker]. It returns how many occurrences are new since
// you last received this Event. The function [Watch] does this for you: it gets the Events by a
// list and a watch, and passes each of them to a Tracker.
//
// # Summaries
//
// [GroupBy] groups Events, the most urgent group first. [Digest] summarises Events in a few lines
// of text.
package eventview
