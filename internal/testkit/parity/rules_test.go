// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

// rule is one of the server's rules about Events. For each of the refusals some row that is tagged with the rule has it
// in its answer, and unless nothing keeps the rule, another row is accepted.
type rule struct {
	number, text string
	refusals     []string
	noneAccepted bool
}

const invalid, required, tooLong = ":FieldValueInvalid", ":FieldValueRequired", ":FieldValueTooLong"

// rules have numbers: L for every request about an Event, S for a new Event through events.k8s.io/v1, U for a change
// through it, C for core/v1, G for what the server does with any object, and then views (M), field selectors (F),
// versions (V), dry runs (D), namespaces (N, T), watches (W), access (R) and discovery (Y).
var rules = []rule{
	{
		"L1", "old style, about an object without a namespace: in default",
		[]string{"involvedObject.namespace" + invalid}, false,
	},
	{"L2", "old style, about an object with one: in it", []string{"involvedObject.namespace" + invalid}, false},
	{
		"L3", "new style, about an object without a namespace: in default or kube-system",
		[]string{"involvedObject.namespace" + invalid}, false,
	},
	{"L4", "new style, about an object with one: anywhere", nil, false},
	{"L5", "the controller is a qualified name", []string{
		"reportingController" + invalid, "reportingController" + required,
		"reportingComponent" + invalid, "reportingComponent" + required,
	}, false},
	{
		"L6", "the instance is there and has at most 128 bytes",
		[]string{"reportingInstance" + invalid, "reportingInstance" + required}, false,
	},
	{"L7", "the action is there and has at most 128 bytes", []string{"action" + invalid, "action" + required}, false},
	{"L8", "the reason is there and has at most 128 bytes", []string{"reason" + invalid, "reason" + required}, false},
	{"L9", "the note has at most 1024 bytes", []string{"message" + invalid}, false},
	{"L10", "the namespace is a DNS subdomain; it has to exist first, so nobody can break this rule", nil, false},

	{"S1", "the name is a DNS subdomain", []string{
		"metadata.name" + invalid, "metadata.name" + required, "metadata.generateName" + invalid,
	}, false},
	{"S2", "labels, annotations, finalizers and owners are well formed", []string{
		"metadata.labels" + invalid, "metadata.annotations" + invalid, "metadata.annotations" + tooLong,
		"metadata.finalizers" + invalid, "metadata.ownerReferences" + invalid,
	}, false},
	{
		"S3", "a series has a count of at least 2 and a time",
		[]string{"series.count" + invalid, "series.lastObservedTime" + required}, false,
	},
	{"S4", "there is an event time", []string{"eventTime" + required}, false},
	{"S5", "the type is Normal or Warning", []string{"type" + invalid}, false},
	{"S6", "the deprecated fields are empty", []string{
		"count" + invalid, "source" + invalid, "firstTimestamp" + invalid, "lastTimestamp" + invalid,
	}, false},
	{"S7", "nothing else is looked at", nil, false},

	{"U1", "only the series and the metadata change", []string{
		"involvedObject" + invalid, "reason" + invalid, "message" + invalid, "source" + invalid, "firstTimestamp" + invalid,
		"lastTimestamp" + invalid, "count" + invalid, "type" + invalid, "eventTime" + invalid, "action" + invalid,
		"related" + invalid, "reportingController" + invalid, "reportingInstance" + invalid,
	}, false},
	{
		"U2", "a series that changes satisfies S3; it may shrink, go back and vanish",
		[]string{"series.count" + invalid, "series.lastObservedTime" + required}, false,
	},
	{"U3", "the name, the type and the deprecated fields are not looked at again", nil, false},
	{"U4", "the metadata are", []string{
		"metadata.finalizers" + invalid, "metadata.labels" + invalid, "metadata.annotations" + tooLong,
		"metadata.ownerReferences" + invalid,
	}, false},
	{"C1", "through core/v1 everything changes", nil, false},
	{"C2", "S3 to S6 are not for core/v1", nil, false},

	{"G1", "the namespace of the body is the request's", []string{"400 BadRequest"}, false},
	{"G2", "an Event is asked for in a namespace", []string{"405 MethodNotAllowed", "404 NotFound"}, false},
	{"G3", "a new object has no resource version", []string{"500"}, false},
	{"G4", "what only the server knows is replaced", nil, false},
	{"G5", "a request has at most 3 MiB", []string{"413 RequestEntityTooLarge"}, false},
	{"G6", "a name is taken once", []string{
		"409 AlreadyExists events/$name", "409 AlreadyExists events.events.k8s.io/$name",
	}, false},
	{"G7", "what is not there is not found", []string{
		"404 NotFound events/$name", "404 NotFound events.events.k8s.io/$name",
	}, false},
	{
		"G8", "labels, annotations, finalizers and owners are well formed, also through core/v1",
		[]string{"metadata.labels" + invalid, "metadata.annotations" + tooLong}, false,
	},
	{"G9", "through core/v1 the name is a segment of a path", []string{
		"metadata.name" + invalid, "metadata.name" + required,
	}, false},
	{"G10", "name, namespace and uid do not change", []string{
		"metadata.uid" + invalid, "400 BadRequest", "409 Conflict",
	}, false},
	{"G11", "a patch can be applied", []string{"400 BadRequest", "422 Invalid patch" + invalid, "500"}, false},
	{"G12", "under strict validation every field is known", []string{"422 Invalid patch" + invalid}, false},
	{"G13", "client-go sends no request without a name, or with one that is none", []string{"not sent"}, true},
	{"G14", "JSON patch and server-side apply", []string{"409 Conflict"}, false},

	{"M1", "core/v1 reads what events.k8s.io/v1 writes", nil, false},
	{"M2", "events.k8s.io/v1 reads what core/v1 writes", nil, false},
	{"M3", "times have the precision of their type", nil, false},
	{"M4", "a patch is seen through the other group", []string{"404 NotFound"}, false},

	{"F1", "the fields that select", nil, false},
	{"F2", "other fields", []string{"400 BadRequest"}, false},
	{"F3", "the source falls back to the controller", nil, false},
	{"F4", "labels select", nil, false},
	{"F5", "a selection is deleted", nil, false},
	{"F6", "a selector that is none", []string{"400 BadRequest"}, false},

	{"V1", "a resource version is the stored one", []string{
		"409 Conflict events/", "409 Conflict events.events.k8s.io/", "500",
	}, false},
	{"V2", "without one the last writer wins", nil, false},
	{"V3", "what changes nothing writes nothing", nil, false},
	{"V4", "an update of what is not there creates it", []string{
		"409 Conflict", "metadata.name" + invalid, "type" + invalid, "action" + required, "not sent",
	}, false},
	{"V5", "a deletion has preconditions", []string{"409 Conflict"}, false},
	{"V6", "finalizers hold back a deletion", []string{"metadata.finalizers:FieldValueForbidden", "404 NotFound"}, false},
	{"D1", "a dry run stores nothing", []string{"404 NotFound", "409 AlreadyExists", "422 Invalid"}, false},
	{"N1", "the namespace exists", []string{"404 NotFound namespaces/"}, false},
	{"T1", "a namespace that goes away takes no new Events", []string{
		"403 Forbidden", "metadata.namespace:NamespaceTerminating",
	}, false},

	{"W1", "a watch tells what is there and what happens", nil, false},
	{"W2", "a watch from a resource version on", []string{"500"}, false},
	{"W3", "objects move into the selection of a watch and out of it", nil, false},
	{"W4", "a watch of fields that do not select", []string{"400 BadRequest"}, false},
	{"W5", "a watch that says where what was there ends", []string{"422 Invalid"}, false},

	{"R1", "access reviews", nil, false},
	{"R2", "who may not is told so first", []string{
		"403 Forbidden events", "403 Forbidden events.events.k8s.io/$name",
	}, false},
	{"Y1", "what is served", []string{"404 NotFound"}, false},
}
