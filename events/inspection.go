// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/writer"
)

// Inspection is a copy of what a broadcaster holds and what that waits for, for a person
// who looks for a fault. Package debug shows it. Fields may be added.
type Inspection struct {
	// Time is when it was made, and Began when the broadcaster was, by its clock.
	Time  time.Time `json:"time"`
	Began time.Time `json:"began"`
	// Stats is one consistent snapshot. The lists are of about the same moment.
	Stats Stats `json:"-"`
	// Frequent are the series with the highest counts, the highest first.
	Frequent []SeriesState `json:"frequent"`
	// Waiting are the series with something pending, the longest wait first.
	Waiting []SeriesState `json:"waiting"`
	// Gates say which writes are held back.
	Gates Gates `json:"gates"`
	// Settings are the options in effect.
	Settings []Setting `json:"settings"`
}

// SeriesState is a copy of one series.
type SeriesState struct {
	// Namespace and Name are those of the Event on the server.
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Regarding, Type, Reason, Action, ReportingController and Note are the first
	// occurrence's.
	Regarding           corev1.ObjectReference `json:"regarding"`
	Type                string                 `json:"type"`
	Reason              string                 `json:"reason"`
	Action              string                 `json:"action"`
	ReportingController string                 `json:"reportingController"`
	Note                string                 `json:"note"`
	// Observed = Recorded + Pending + Dropped, as in [Stats].
	Observed int64 `json:"observed"`
	Recorded int64 `json:"recorded"`
	Pending  int64 `json:"pending"`
	Dropped  int64 `json:"dropped"`
	// First and Last are the times of occurrences. First is the first one that the
	// server may know of.
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// PendingSince is when the oldest pending occurrence was recorded, to the second,
	// zero if none is pending.
	PendingSince time.Time `json:"pendingSince,omitzero"`
	// Attempts in a row were not acknowledged.
	Attempts int `json:"attempts"`
	// Wait says why it is not written now.
	Wait Wait `json:"wait"`
	// DroppedAs is the reason while occurrences are dropped, also after SetSelector.
	DroppedAs DropReason `json:"droppedAs,omitempty"`
}

// Wait says why something is not written now.
type Wait struct {
	// For is what it waits for.
	For WaitReason `json:"for"`
	// Since is when the write in flight was sent.
	Since time.Time `json:"since,omitzero"`
	// Until is the time of the next write at the earliest, zero if that is not known.
	Until time.Time `json:"until,omitzero"`
}

// WaitReason is what a write waits for.
type WaitReason string

// What a write waits for.
const (
	// WaitNothing: everything is recorded.
	WaitNothing WaitReason = "Nothing"
	// WaitAnswer: a write is in flight.
	WaitAnswer WaitReason = "Answer"
	// WaitStart: the broadcaster was not started.
	WaitStart WaitReason = "Start"
	// WaitWorker: it is due, and others are written first.
	WaitWorker = WaitReason(writer.ForWorker)
	// WaitServerGate: the server does not answer, or refuses every write.
	WaitServerGate = WaitReason(writer.ForServer)
	// WaitPressureGate: the server asked several namespaces to wait.
	WaitPressureGate = WaitReason(writer.ForPressure)
	// WaitNamespaceGate: the last write in the namespace failed.
	WaitNamespaceGate = WaitReason(writer.ForNamespace)
	// WaitCreateGate: the namespace is being deleted and takes no new Events.
	WaitCreateGate = WaitReason(writer.ForCreates)
	// WaitOneAtATime: the namespace hangs or fails, and has a write in flight.
	WaitOneAtATime = WaitReason(writer.ForSuspect)
	// WaitBackoff: the server refused this Event for now.
	WaitBackoff WaitReason = "Backoff"
	// WaitPublish: the count has doubled, and is written after WithPublishInterval.
	WaitPublish WaitReason = "PublishInterval"
	// WaitRefresh: the count is written after WithRefreshInterval.
	WaitRefresh WaitReason = "RefreshInterval"
	// WaitFinish: the final count is written after WithFinishInterval.
	WaitFinish WaitReason = "FinishInterval"
	// WaitRefused: the server refused the Event, and one occurrence is tried later.
	WaitRefused WaitReason = "Refused"
)

// Gates hold writes back after bad answers.
type Gates struct {
	// Server is closed while the server does not answer at all, Pressure for up to a
	// second after several namespaces were asked to wait.
	Server   Gate `json:"server"`
	Pressure Gate `json:"pressure"`
	// Namespaces are those with a closed gate, then the suspect ones, then those with
	// the longest queues. Queues is how many there are, shown or not.
	Namespaces []NamespaceState `json:"namespaces"`
	Queues     int              `json:"queues"`
	// Waiting is how many series, or objects in package legacy, are due and wait.
	Waiting int `json:"waiting"`
}

// Gate is a copy of a gate. The zero Gate is open.
type Gate struct {
	// Closed says that no write passes but a probe.
	Closed bool `json:"closed"`
	// Failures in a row closed it and kept it closed.
	Failures int `json:"failures"`
	// OpensAt is when it lets one write through, to see whether that succeeds.
	OpensAt time.Time `json:"opensAt,omitzero"`
	// Probing says that this write is in flight.
	Probing bool `json:"probing"`
	// LastError is the last of the failures.
	LastError string `json:"lastError,omitempty"`
}

// NamespaceState is a copy of the queue of one namespace.
type NamespaceState struct {
	// Namespace is that of the Events.
	Namespace string `json:"namespace"`
	// Suspect says that writes hang or fail. One is in flight at a time.
	Suspect bool `json:"suspect"`
	// Waiting is how many series, or objects in package legacy, are due and wait.
	Waiting int `json:"waiting"`
	// InFlight is how many writes were sent and not answered.
	InFlight int `json:"inFlight"`
	// Gate is for all writes, Creates for new Events only.
	Gate    Gate `json:"gate"`
	Creates Gate `json:"creates"`
}

// Setting is an option and its value.
type Setting struct {
	// Option is the name, such as "WithWorkers".
	Option string `json:"option"`
	// Value is what is in effect, also if that is the default.
	Value string `json:"value"`
	// Default is the value without the option.
	Default string `json:"default"`
}
