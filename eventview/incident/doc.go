// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package incident joins the Events of one cause into an incident, so that a program opens one
// ticket for it.
//
// If a registry answers 429, for example, 36 pods of three Deployments may have a hundred Events
// with five reasons, and each note has another image and another address. They are one incident:
//
//	Failed of 36 objects since 10:00:03, first shop/Pod/web-7d4b9-x2xqz: Failed to pull image …
//
// A [Tracker] is passed each reading of an Event, by [Tracker.Observe]. [Tracker.Tick] returns the
// incidents that have opened, grown or ended. The Events may be of any writer. A tracker has
// nothing to configure.
//
// # Which Events belong together
//
// The first of these rules that applies decides to which incident an Event belongs. If none
// applies, the Event begins an incident. Each rule is followed by the case that asks for it.
//
//  1. Another reading of an Event belongs to the incident of the first reading. A container crashes
//     for a day, and its Event is updated 5000 times.
//  2. Events with the same reason and the same template have the same cause. The template is the
//     note without numbers, identifiers, addresses, quoted texts, and the names of the Event's own
//     objects. A registry answers 429 to 36 pods; each note of AWS has another RequestID.
//     The controller counts only if the template has less than four words. A quota refuses the pods
//     of a ReplicaSet, of a StatefulSet and of a Job.
//  3. Some reasons have a canonical reason in place of a template, because their notes do not say
//     why: all failures of a node are NodeNotReady or NodePressure, and probes are Unhealthy. An
//     Event belongs to an incident of the same canonical reason if it begins within ten minutes of
//     the newest Event there. A database is away, so the probes of three Deployments fail with a
//     503, then with a time-out.
//  4. An Event that only says that something is tried again or given up, such as BackOff, belongs
//     to the incident of its family. A family is a namespace and an owner; the owner is the name
//     of the object without the parts that controllers add. Failed, BackOff and Error: ErrImagePull
//     are about one pod; BackoffLimitExceeded is about its Job. Two containers are two
//     families, because one may crash while the image of the other is missing.
//  5. A note belongs to the incident of its family if controller and reason are equal and half of
//     the words of the shorter note are common. An outage changes its words, from a 503 to a
//     time-out. A quota and a webhook refuse the pods of one ReplicaSet, and have no words in
//     common.
//  6. Events of one family that begin within 30 seconds belong together, and so do Events of a
//     node and of the kubelet on it. A node goes away, and its pods are scheduled elsewhere, but
//     cannot get their volumes. Two Events of the kubelet are excluded, because a pod that gets no
//     network does not fail to pull its image for the same reason.
//  7. Notes that end with the same twelve words have the same root cause, because Go programs write
//     it last. A certificate has expired, and Flux reports it about Git and about Helm.
//  8. With the same reason in another family, half of the words must be common, and three quarters
//     of those after the last colon. The cluster is full, and the nodes that do not fit change.
//     An image that does not exist is not the same as a registry that is away.
//
// # When an incident opens and ends
//
// Events of type Warning begin incidents. A Normal Event may belong to one if it reports a failure,
// such as BackOff and NodeNotReady.
//
// An incident opens when it has lasted for a minute, unless all of its objects have recovered: an
// object has recovered if a later Normal Event about it reports progress, and it does not fail
// again. A pod that waits two seconds for its volume is no incident. A failed probe counts only if
// its Event lasts for a minute, because each rollout has some that fail.
//
// An incident is over when nothing of it has occurred for 10 minutes, or for 36 minutes if the
// writer of an Event may count late ([eventview.Event.Ended]) or if a node is away. If it occurs
// again within an hour, it opens again, with the same ID: a registry that flaps has one ticket.
//
// # The ID
//
// The ID is a hash of the cause and of the hour in which the first Event began. It is the same
// after a restart with a checkpoint ([Tracker.MarshalBinary]). It is the same in a second replica
// that starts later without a checkpoint, if the API server still has the first Event, and if the
// replica passes the Events of its first list in the order of [Compare]. It is not the same if the
// first Event has expired, and the next one began in a later hour or has another cause. So
// replicas that run for long should use one checkpoint, and leader election.
//
// # Limits
//
// A tracker remembers at most 1024 incidents and 2^20 places, which are Events, families and objects.
// With a million Events it needs less than 64 MiB. Beyond these limits it forgets the half that has
// been quiet the longest, so that an object may be counted twice, or an incident may open a second
// time.
//
// The rules compare words. They cannot know that the probes of a shop fail because its database,
// whose Events have other reasons and another owner, is away. [Incident.Before] may help there, and
// is only a hint. Whoever may create Events can write notes that hide a cause or join two of them.
package incident
