// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lint finds mistakes in code that records Kubernetes Events: what the
// API server refuses, what splits a series of events, and what is lost at the end
// of a process.
//
//	calls of recorders ──▶ recording.Survey ──▶ one analyzer per mistake
//	assignments, functions ──┘
//
// A recorder is recognised by the shape of its methods Event, Eventf and
// AnnotatedEventf: a runtime.Object, perhaps a second one, then three or four
// strings. So client-go's two packages, controller-runtime, this SDK and a
// module's own interfaces are all seen. The calls of a function that passes a
// parameter on to a recorder count, too, in the same package.
//
// Code in files that end in _test.go is not looked at.
//
// # Analyzer eventaction
//
// eventaction: check that actions are constants the API server accepts
//
// The action says what the component did or tried to do ("Scale"). It is one of
// the few fields that make occurrences one series (KEP-383), so there should be
// few of them, and a person should find each in the code. The API server refuses
// an event through events.k8s.io/v1 whose action is empty or over 128 bytes;
// client-go then loses it.
//
// An action is reported if it may be empty, is too long, or comes from where this
// package does not tell its values. A parameter that is handed on is judged at
// the calls; a type of its own over string is taken for a fixed set.
//
// An action that repeats the reason tells nothing. It is reported for reasons that
// tell what was attempted: those of Kubernetes' own components, whose actions are
// known ("Pull" for "Pulled"), and those with a verb ("SyncSecret" for
// "SecretSynced"). A reason such as "DrainNode" is an action already. A variable that
// is both the reason and the action is reported, too. An action that
// is the name of the function around the call is also reported, if that function
// records all kinds of Events, as a wrapper's "Eventf" and a controller's "Reconcile"
// do.
// So are "Reconcile" and "Reconciling" anywhere. An action with a verb for fmt, such
// as "created %s", is most likely the note of a call that lacks its action, as calls
// of client-go's older recorder do.
//
// To fix it, write a constant, or choose one in a switch. If the reason tells one
// action, the fix writes it in the place of a literal. The guide is
// https://github.com/eventseries/eventseries/blob/main/docs/actions.md
//
// # Analyzer eventreason
//
// eventreason: check that reasons are UpperCamelCase and at most 128 bytes
//
// The reason is for machines: people write alerts and switch statements for it,
// so the API asks for a short word in UpperCamelCase ("FailedMount"). Through
// events.k8s.io/v1 the API server refuses an empty reason and one over 128 bytes;
// client-go then loses the event.
//
// Only reasons whose value the code tells are judged, also those of constants in
// other packages.
//
// To fix it, rename the reason, and the alerts that match it.
//
// # Analyzer eventnote
//
// eventnote: check that constant notes fit into 1024 bytes
//
// Through events.k8s.io/v1 the API server refuses a note of more than 1024 bytes
// (bytes, not characters); client-go then loses the event, and this SDK cuts the
// note. What a format says by itself is counted without its verbs.
//
// To fix it, say it shorter, and put the rest into the log or the status.
//
// # Analyzer eventformat
//
// eventformat: check that notes and their arguments fit
//
// A note of Eventf is a format, as of fmt.Printf, but go vet does not know that:
// it looks for what calls fmt.Sprintf, and recorders are interfaces. So "%d" with
// a string, or an argument too few, ends in the Event as "%!d(string=...)".
//
// The other way round, text that is not a format must not be one: an error that
// says "100%" becomes "100%!(NOVERB)". Go vet's own check of formats is used, and
// a note that is made at run time is reported if nothing follows it; the fix puts
// "%s" before it. So is a constant with verbs where Event does not format.
//
// # Analyzer eventvolatile
//
// eventvolatile: check that reasons and actions are not built at run time
//
// Occurrences are one series if they agree in reason and action, among others
// (KEP-383), and alerts match the reason. Text with a name, a number or an error
// in it makes a series, and an Event object, of every occurrence; with client-go's
// unbounded cache it also costs memory.
//
// Reported are fmt.Sprint and its like, strconv, concatenations with variables,
// the texts of errors, names and UIDs of objects, times, UUIDs and random values,
// and a variable that is the note as well.
//
// To fix it, record a constant, and put the rest into the note.
//
// # Analyzer eventdrain
//
// eventdrain: check that broadcasters are drained
//
// A broadcaster writes in the background. When the process ends, what it has not
// written is lost, with the final count of every series, and until then its
// goroutines stay. Some seconds after the end of the context that it was started
// with it drains by itself, for which nobody waits.
//
// Reported is a broadcaster or adapter of this SDK or of client-go that a function
// makes and keeps to itself (does not return, store or pass on), and on which it
// never calls Drain or Shutdown. One that is made with the option WithContext ends
// with that context.
//
// To fix it, defer Shutdown in the function that runs the component, or call Drain
// with a context of your own to know what was lost. A function that returns before
// that has to return or store the broadcaster.
package lint
