// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package api

import "go/types"

// EventsMakers are the functions of ClientEvents that make broadcasters. OurEvents has each of them.
var EventsMakers = []string{"NewBroadcaster", "NewEventBroadcasterAdapter", "NewEventBroadcasterAdapterWithContext"}

// IsEventsMaker reports whether an object is one of EventsMakers.
func IsEventsMaker(obj types.Object) bool { return IsNamed(obj, ClientEvents, EventsMakers...) }

// EventsMethod is the method of controller-runtime's manager that makes a recorder of the events API.
const EventsMethod = "GetEventRecorder"

// IsEventsProvider reports whether a function is a method that returns a recorder of the events API for a name, such as
// GetEventRecorder of controller-runtime's manager.
func IsEventsProvider(fn *types.Func) bool {
	sig := fn.Signature()
	return fn.Name() == EventsMethod && sig.Recv() != nil && Kinds(sig) == "s" && sig.Results().Len() == 1 &&
		RecordsNew(sig.Results().At(0).Type())
}

// RecordsNew reports whether a type has the method Eventf of the events API.
func RecordsNew(t types.Type) bool {
	fn := method(t, string(Eventf))
	return fn != nil && HasNewShape(fn)
}

// Records reports whether a type has a method that records, of the old API or of the new one.
func Records(t types.Type) bool {
	return t != nil && (RecordsNew(t) || len(MethodsOfOldShape(t)) > 0)
}

// HasNewShape reports whether a function is by its name and signature a method that records through the events API.
func HasNewShape(fn *types.Func) bool {
	kinds := map[Method]string{Eventf: "oossssv", AnnotatedEventf: "oomssssv"}[Method(fn.Name())]
	return kinds != "" && fn.Signature().Recv() != nil && fn.Signature().Results().Len() == 0 && Kinds(fn.Signature()) == kinds
}
