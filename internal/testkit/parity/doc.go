// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package parity has one table of requests about Events and what a real kube-apiserver answers to each.
//
//	table/*.txt ──▶ Load ──▶ Scene ──▶ Cluster.Run ──▶ one line per answer
//
// events/eventstest runs the table against its clientset, test/e2e against a kube-apiserver; both compare with the
// answers in the files. So whatever the table says is true of both. The answers come from a kube-apiserver v1.37.2:
//
//	cd test/e2e && go test -run TestParity . -update
//
// # How to read the table
//
// A scene is a paragraph. It has a title, and Events of its own: those of a scene are deleted at its end. Each of its
// lines is a request, sent through client-go's typed clients; the answer is indented below it.
//
//	# The controller is a qualified name.
//	L5 create events new {"reportingController":"a/b/c"}
//	    422 Invalid Event/$name reportingController:FieldValueInvalid
//
// A line begins with the numbers of the rules it is about; rules_test.go lists them. Then:
//
//	create GROUP BASE EDITS           POST; EDITS is JSON decoded over the base
//	update GROUP BASE EDITS           PUT; the base stored is the Event as it is
//	patch GROUP KIND BODY             PATCH; KIND is strategic, merge, json or apply
//	get GROUP FIELDS                  answers with the fields, all if none is named
//	list GROUP SELECTORS              field=… and label=…; answers with names
//	delete GROUP OPTIONS              OPTIONS is JSON
//	deletecollection GROUP SELECTORS
//	watch GROUP SELECTORS             also version=…, match=…, initial=… and bookmarks; the scene has one watch
//	seen N                            waits for the next N events of the watch
//	review ATTRIBUTES                 a SelfSubjectAccessReview
//	discover GROUP/VERSION
//	terminate NAMESPACE               deletes a namespace, which stays Terminating
//
// GROUP is events (events.k8s.io/v1) or core (core/v1), with a namespace behind a slash if it is not $ns; * is none.
// The word dry in front asks for a dry run, strict for strict field validation, and user sends as a user who may create
// and patch Events of events.k8s.io in $ns and nothing else. $ns is a namespace of the run, $gone one that is
// Terminating, $name the scene's name for an Event, $uid and $first are the uid and the resource version that the first
// write of the scene was answered with, and <5*x> is xxxxx. A request without a name is about the Event written last.
//
// An answer is ok, or the code and reason of the Status, the object it is about, and field:cause of each violation,
// sorted, each once. After ok, "changed" and "unchanged" say whether the resource version moved. A line "kit:" below
// the answer is a difference that is meant: what the clientset answers instead.
package parity
