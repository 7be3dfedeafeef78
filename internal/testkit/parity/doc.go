// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package parity contains a table of requests about Events, each with the answer of a real
// kube-apiserver.
//
//	table/*.txt ──▶ Load ──▶ Scene ──▶ Cluster.Run ──▶ one line per answer
//
// internal/testkit/apiserver runs the table against the clientset of events/eventstest, and
// test/e2e runs it against a kube-apiserver. Both compare the answers with those in the files, so
// the two servers agree on every request in the table. The answers come from a kube-apiserver
// v1.37.2:
//
//	cd test/e2e && go test -run TestParity . -update
//
// # How to read the table
//
// A scene is a paragraph. It begins with a title. Each further line is a request, which is sent in
// JSON, and the indented line below it is the answer. Each scene has its own Events, which are
// deleted when it ends.
//
//	# The controller is a qualified name.
//	L5 create events new {"reportingController":"a/b/c"}
//	    422 Invalid Event/$name reportingController:FieldValueInvalid
//
// A request begins with the rules that it tests, which are listed below. Then follows one of:
//
//	create GROUP BASE EDITS           POST; EDITS is JSON that is decoded over the Event BASE of bases.json
//	update GROUP BASE EDITS           PUT; the BASE "stored" is the Event that is stored now
//	patch GROUP KIND BODY             PATCH; KIND is strategic, merge or json
//	get GROUP FIELDS                  the answer has the named fields, or all fields
//	list GROUP SELECTORS              SELECTORS are field=… and label=…; the answer has the names
//	delete GROUP
//	deletecollection GROUP SELECTORS
//	watch GROUP SELECTORS             begins the watch of the scene; also with version=…
//	seen N                            waits for the next N events of the watch
//	review ATTRIBUTES                 a SelfSubjectAccessReview
//	discover GROUP/VERSION
//	terminate NAMESPACE               deletes a namespace, which stays Terminating
//
// GROUP is events (events.k8s.io/v1) or core (core/v1). A namespace other than $ns follows it
// behind a slash, and * stands for all namespaces. The word dry before the verb makes the request a
// dry run. The word user sends it as a user who may only create and patch Events of events.k8s.io
// in $ns. A request that names no Event is about the Event that was written last. Requests and
// answers contain these placeholders:
//
//	$ns      for the namespace of the run
//	$gone    for a namespace that is Terminating
//	$name    for the name of the scene's Events
//	$first   for the resource version in the answer to the first write of the scene
//	<5*x>    for xxxxx
//
// An answer is either ok or a refusal. A refusal has the code and the reason of the Status, the
// object that it is about, and field:cause of each violation, sorted and without duplicates. Behind
// ok, "changed" and "unchanged" say whether the write has changed the resource version. A line
// "kit:" below an answer has the answer of the clientset if it differs on purpose.
//
// # The rules
//
// The letter of a rule says what it is about: L any request about an Event, S a new Event through
// events.k8s.io/v1, U a change of an Event through it, C core/v1, G any object, M the two views of
// an Event, F field selectors, V resource versions, D dry runs, N and T namespaces, W watches, R
// access, Y discovery. An Event of the new style has an eventTime, and an Event of the old style
// has none. L1 to L3, L5 to L9, S1, S3 to S6 and U1 are in the table of package rules, with their
// fields, limits and messages.
//
//	L4   an Event of the new style about an object with a namespace may be anywhere
//	L10  the namespace is a DNS label; as it must exist, no request can break this rule
//	S2   labels, annotations, finalizers and owners are well formed
//	S7   no other field is validated
//	U2   a series that changes satisfies S3; its count may shrink, its time go back, and it may vanish
//	U3   the name, the type and the deprecated fields are not validated again
//	U4   the metadata are validated again
//	C1   through core/v1 every field can change
//	C2   S3 to S6 do not hold through core/v1
//	G1   the namespace of the body is the namespace of the request
//	G2   a request for one Event has a namespace
//	G3   a new object has no resource version
//	G4   fields that only the server may set are replaced
//	G6   a name can be used once
//	G7   a missing object is answered with NotFound
//	G8   labels, annotations, finalizers and owners are well formed through core/v1, too
//	G9   through core/v1 the name is a valid segment of a path
//	G10  the name, the namespace and the UID cannot change
//	G11  a patch must fit the object
//	G12  an unknown field is ignored
//	G14  JSON patches
//	M1   core/v1 reads Events that events.k8s.io/v1 has written
//	M2   events.k8s.io/v1 reads Events that core/v1 has written
//	M3   times have the precision of their type
//	M4   a patch through one group is visible through the other
//	F1   the fields that can be selected by
//	F2   a selector with another field is refused
//	F3   the source field falls back to the reporting controller
//	F4   labels can be selected by
//	F5   a deletecollection deletes the selected Events
//	V1   a write with a resource version needs the stored one
//	V2   of writes without a resource version the last one wins
//	V3   a write that changes nothing is not stored
//	V4   an update of a missing Event creates it
//	D1   a dry run stores nothing
//	N1   the namespace exists
//	T1   a namespace that is being deleted accepts no new Events
//	W1   a watch sends the stored Events and then each change
//	W2   a watch can begin at a resource version
//	W3   an object that moves into the selection of a watch is ADDED, and one that moves out is DELETED
//	W4   a watch whose selector has another field is refused
//	R1   access reviews
//	R2   a request without permission is refused before it is validated
//	Y1   the resources that are served
package parity
