// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventview reads Events, whoever wrote them and through whichever API.
//
// An Event has up to six times and two counts, and each writer fills in others. [FromEventsV1],
// [FromCoreV1] and [FromUnstructured] make one [Event] of them, by these rules:
//
//	field       | the first of these that is set
//	First       | eventTime, firstTimestamp, creationTimestamp, Last; but firstTimestamp
//	            | where eventTime is in a later second
//	Last        | the latest of series.lastObservedTime, lastTimestamp, eventTime and
//	            | firstTimestamp, else creationTimestamp; never before First
//	Count       | the highest of series.count and count, at least 1
//	Controller  | reportingController, source.component
//	Instance    | reportingInstance, source.host
//	NewestNote  | the annotation eventseries.dev/latest-note, the note
//	Created     | creationTimestamp
//
// What writers leave there:
//
//	writer                                      | times                             | counts
//	client-go's tools/record, and so kubelet,   | firstTimestamp, lastTimestamp     | count
//	  Flux and most controllers; package legacy |                                   |
//	client-go's tools/events, package events    | eventTime, and from the second    | series.count from the
//	                                            | occurrence series.lastObservedTime| second occurrence
//	package adapter while it writes core/v1     | all of them                       | both, and they agree
//	KubeBlocks                                  | firstTimestamp, and eventTime and | count
//	                                            | lastTimestamp of the newest       |
//	Argo CD, java-operator-sdk, other writers   | firstTimestamp, lastTimestamp, or | count, or none
//	  of single Events                          | eventTime, or none                |
//
// The time of the newest occurrence is thus in series.lastObservedTime, in lastTimestamp or
// in eventTime: a reader that takes the first one that is set, in any order, is wrong about
// some writer.
//
// # Counts that grow
//
// An Event is read many times: it is updated, expires, is made again under its name with
// the count that it had, and is read twice by a reader that starts again. A [Tracker] tells
// how many occurrences each reading adds. [Watch] lists and watches Events with one.
//
// # Many Events
//
// [GroupBy] and [Digest] say in few words what many Events say.
package eventview
