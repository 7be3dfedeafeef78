// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package parity has one table of requests about Events and what a real kube-apiserver answers to each.
//
//	table/*.txt ──▶ Load ──▶ Scene ──▶ Cluster.Run ──▶ one line per answer
//
// internal/testkit/apiserver runs the table against the clientset of events/eventstest, test/e2e against a
// kube-apiserver; both compare with the answers in the files. So whatever the table says is true of both. The answers
// come from a kube-apiserver v1.37.2:
//
//	cd test/e2e && go test -run TestParity . -update
//
// # How to read the table
//
// A scene is a paragraph. It has a title, and Events of its own: those of a scene are deleted at its end. Each of its
// lines is a request, sent in JSON; the answer is indented below it.
//
//	# The controller is a qualified name.
//	L5 create events new {"reportingController":"a/b/c"}
//	    422 Invalid Event/$name reportingController:FieldValueInvalid
//
// A line begins with the numbers of the rules it is about, which are listed below. Then:
//
//	create GROUP BASE EDITS           POST; EDITS is JSON decoded over the base
//	update GROUP BASE EDITS           PUT; the base stored is the Event as it is
//	patch GROUP KIND BODY             PATCH; KIND is strategic, merge or json
//	get GROUP FIELDS                  answers with the fields, all if none is named
//	list GROUP SELECTORS              field=… and label=…; answers with names
//	delete GROUP
//	deletecollection GROUP SELECTORS
//	watch GROUP SELECTORS             also version=…; the scene has one watch
//	seen N                            waits for the next N events of the watch
//	review ATTRIBUTES                 a SelfSubjectAccessReview
//	discover GROUP/VERSION
//	terminate NAMESPACE               deletes a namespace, which stays Terminating
//
// GROUP is events (events.k8s.io/v1) or core (core/v1), with a namespace behind a slash if it is not $ns; * is none.
// The word dry in front asks for a dry run, and user sends as a user who may create and patch Events of events.k8s.io
// in $ns and nothing else. $ns is a namespace of the run, $gone one that is Terminating, $name the scene's name for an
// Event, $first the resource version that the first write of the scene was answered with, and <5*x> is xxxxx. A request
// without a name is about the Event written last.
//
// An answer is ok, or the code and reason of the Status, the object it is about, and field:cause of each violation,
// sorted, each once. After ok, "changed" and "unchanged" say whether the resource version moved. A line "kit:" below
// the answer is a difference that is meant: what the clientset answers instead.
//
// # The rules
//
// L is for every request about an Event, S for a new Event through events.k8s.io/v1, U for a change through it, C for
// core/v1, G for what the server does with any object, M for views, F for field selectors, V for versions, D for dry
// runs, N and T for namespaces, W for watches, R for access and Y for discovery.
//
//	L1   old style, about an object without a namespace: in default
//	L2   old style, about an object with one: in it
//	L3   new style, about an object without a namespace: in default or kube-system
//	L4   new style, about an object with one: anywhere
//	L5   the controller is a qualified name
//	L6   the instance is there and has at most 128 bytes
//	L7   the action is there and has at most 128 bytes
//	L8   the reason is there and has at most 128 bytes
//	L9   the note has at most 1024 bytes
//	L10  the namespace is a DNS subdomain; it has to exist first, so nobody can break this rule
//	S1   the name is a DNS subdomain
//	S2   labels, annotations, finalizers and owners are well formed
//	S3   a series has a count of at least 2 and a time
//	S4   there is an event time
//	S5   the type is Normal or Warning
//	S6   the deprecated fields are empty
//	S7   nothing else is looked at
//	U1   only the series and the metadata change
//	U2   a series that changes satisfies S3; it may shrink, go back and vanish
//	U3   the name, the type and the deprecated fields are not looked at again
//	U4   the metadata are
//	C1   through core/v1 everything changes
//	C2   S3 to S6 are not for core/v1
//	G1   the namespace of the body is the request's
//	G2   an Event is asked for in a namespace
//	G3   a new object has no resource version
//	G4   what only the server knows is replaced
//	G6   a name is taken once
//	G7   what is not there is not found
//	G8   labels, annotations, finalizers and owners are well formed, also through core/v1
//	G9   through core/v1 the name is a segment of a path
//	G10  name, namespace and uid do not change
//	G11  a patch can be applied
//	G12  a field that is not known is left out
//	G14  JSON patch
//	M1   core/v1 reads what events.k8s.io/v1 writes
//	M2   events.k8s.io/v1 reads what core/v1 writes
//	M3   times have the precision of their type
//	M4   a patch is seen through the other group
//	F1   the fields that select
//	F2   other fields
//	F3   the source falls back to the controller
//	F4   labels select
//	F5   a selection is deleted
//	V1   a resource version is the stored one
//	V2   without one the last writer wins
//	V3   what changes nothing writes nothing
//	V4   an update of what is not there creates it
//	D1   a dry run stores nothing
//	N1   the namespace exists
//	T1   a namespace that goes away takes no new Events
//	W1   a watch tells what is there and what happens
//	W2   a watch from a resource version on
//	W3   objects move into the selection of a watch and out of it
//	W4   a watch of fields that do not select
//	R1   access reviews
//	R2   who may not is told so first
//	Y1   what is served
package parity
