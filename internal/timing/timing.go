// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import "time"

// The back-offs. Each wait doubles with each failure in a row, from the first to the longest.
var (
	// GateBackoff is how long a closed gate of the writer waits before it lets a probe through; the
	// first wait is short, because most faults are a single broken connection. The later waits are
	// longer, so that a server that restarts is not flooded. Each wait is a random part of the
	// back-off (full jitter).
	GateBackoff = Backoff{First: 250 * time.Millisecond, Longest: 30 * time.Second}

	// HoldBackoff is how long a series waits for its next write after its write has failed twice in
	// a row or was refused by admission; a failing series makes five requests in the first minute,
	// and two in each later one.
	HoldBackoff = Backoff{First: 2 * time.Second, Longest: 30 * time.Second}

	// ConflictBackoff is how long a series waits for its next write after another process has
	// changed its Event; at first the wait is a few round trips, because the other process has
	// finished its write by then. Each series waits between half of this time and one and a half
	// times as long, so that replicas whose writes collided do not collide again.
	ConflictBackoff = Backoff{First: 100 * time.Millisecond, Longest: 25600 * time.Millisecond}

	// RefusalBackoff is how long a series whose Event was rejected drops its occurrences, before it
	// writes one of them as a test; a series is written within ten minutes after the server has
	// begun to accept its Event, and a series that is always rejected costs ten requests in the
	// first hour. In each later hour it costs eight. A series in a namespace that is being deleted
	// also waits for the first of these times.
	RefusalBackoff = Backoff{First: time.Minute, Longest: 8 * time.Minute}

	// PermissionBackoff is the time between two tests of whether RBAC now allows events.k8s.io/v1,
	// each of which is a single write in one of the namespaces that are written through core/v1, on
	// behalf of all of them; the wait is short at first for an operator who has just applied the
	// missing RBAC, and long later because core/v1 loses nothing. One namespace can test for all,
	// because a ClusterRole grants events.k8s.io/v1 in all namespaces. A refused test costs one
	// request.
	PermissionBackoff = Backoff{First: time.Minute, Longest: 10 * time.Minute}
)

// The times at which series are written and dropped. Options can change RefreshInterval,
// FinishInterval and DrainTimeout.
const (
	// PublishAfter is the minimum time between the last write of a series and the write of a count
	// that has doubled since then; kubectl describe shows progress, and yet a million repeats cost
	// only about twenty writes.
	PublishAfter = 10 * time.Second

	// PublishEvery is the time after which a component may write one more doubled count, when its
	// initial burst of such writes is used up; in the long run, doubled counts take one of the 50
	// requests per second that a client usually may send.
	PublishEvery = time.Second

	// RefreshInterval is the maximum time between the last write of a series and the write of any
	// newer occurrence (KEP-383); the Event of an active series thus outlives the server's default
	// --event-ttl of an hour.
	RefreshInterval = 30 * time.Minute

	// FinishInterval is the time after the last occurrence of a series at which the series ends
	// (KEP-383); a later occurrence begins a new series.
	FinishInterval = 6 * time.Minute

	// RetryFor is the time after the last occurrence of a series at which its pending occurrences
	// are dropped; with the default --event-ttl of an hour, the server would have deleted their
	// Event by then.
	RetryFor = time.Hour

	// WriteTimeout is the time limit of one attempt to write; it is less than the 60 s after which
	// the API server itself gives up a request.
	WriteTimeout = 30 * time.Second

	// DrainTimeout is the time limit of Shutdown; it is well within the 30 s that a pod has to
	// terminate.
	DrainTimeout = 5 * time.Second
)

// The times of the writer. The section "Failed writes" of DESIGN.md explains how they work
// together.
const (
	// SlowWrite is the time after which an unanswered write no longer occupies a place in the
	// window; by Kubernetes' service level objective, 99 of 100 calls that change an object are
	// answered sooner.
	SlowWrite = time.Second

	// HangingWrite is how long a write must be unanswered before the writer may cancel it to make
	// room, if no later write has overtaken it (an overtaken write may be cancelled sooner); the
	// time is well above SlowWrite, because all writes may be slow.
	HangingWrite = 8 * time.Second

	// GiveUpEvery is the minimum time between two cancellations of hanging writes (HangingWrite);
	// even if all writes are slow, most of them are still completed.
	GiveUpEvery = 250 * time.Millisecond

	// LeastProbe is the time limit of the first probes of a failing namespace; a slow webhook may
	// answer within it. The time limit of a later probe is the back-off before it, if that is
	// longer. So a thousand hanging namespaces all get their turns.
	LeastProbe = 5 * time.Second

	// LimiterPause is the shortest pause after the client's own rate limiter has refused a write;
	// the limiter refuses at once if it would have to wait beyond the deadline of the write, so the
	// limiter would also refuse an immediate retry.
	LimiterPause = 250 * time.Millisecond

	// Evidence is how long an answer counts as evidence about other namespaces; older answers would
	// hide the present state of the server.
	Evidence = 10 * time.Second

	// WindowMemory is the time after an overload for which the window stays smaller than it was
	// when the overload came; later it may grow beyond that size, because the server may have more
	// room.
	WindowMemory = 5 * time.Second
)

// The times that depend on answers of the server.
const (
	// UnsupportedPause is how long the writer waits between two writes to an API that the server
	// does not serve; only an upgrade of the server changes that.
	UnsupportedPause = 30 * time.Second

	// LongestRetryAfter is the longest Retry-After that the writer obeys; kube-apiserver asks for
	// at most 32 s (priority and fairness), and a proxy that asks for a year must not hold Events
	// back until they are too old.
	LongestRetryAfter = 5 * time.Minute

	// ExistsPause is how long a series waits between a Create that was answered with AlreadyExists
	// and the Patch of that Event; without it, a sink that answers every Create with AlreadyExists
	// and every Patch with NotFound would be called in a busy loop.
	ExistsPause = time.Second
)

// The times of series.
const (
	// DenialTime is the minimum time between the first and the last refusal of a series before its
	// occurrences are dropped; a webhook that is starting, or RBAC that has not reached every API
	// server yet, refuses many writes within seconds and none afterwards.
	DenialTime = time.Minute

	// EvictionAge is how long a series must be without an occurrence before a new Normal series may
	// evict it from a full cache; otherwise the repeats of series that are still active would
	// become new Events.
	EvictionAge = time.Minute

	// LeastLifetime is the age below which an Event that has disappeared must have been deleted by
	// somebody; no server is configured to expire Events sooner.
	LeastLifetime = 2 * time.Minute

	// LifetimeTestEvery is how long the same eighth of the series ignores the estimate, to test it,
	// before another eighth takes over; if one of their Events outlives the estimate, the estimate
	// is discarded.
	LifetimeTestEvery = time.Hour

	// ClockJump is the change of the difference between wall clock and monotonic clock, from one
	// answer of the server to the next, above which somebody must have set the clock or suspended
	// the machine, so that the ages of older Events are not known; the corrections of a
	// synchronized clock are smaller.
	ClockJump = 10 * time.Second

	// MaxSkew is how far in the future the times of a shared Event (WithSharedCounts) may be; the
	// clocks of the processes that share it differ a little, but a time further in the future is
	// wrong.
	MaxSkew = time.Minute
)

// The times at the end of a broadcaster.
const (
	// StuckAfter is how long goroutines have to return after their requests were cancelled; a sink
	// that ignores its context must not keep the process from ending. Goroutines that run longer
	// are reported as stuck.
	StuckAfter = time.Second
)

// The intervals and time limits of requests to discovery and RBAC.
const (
	// ReviewEvery is the minimum time between two reviews of what RBAC allows in a namespace; it is
	// no longer than DenialTime, so that RBAC is reviewed at least once before a refused series is
	// dropped.
	ReviewEvery = time.Minute

	// OwnPermissionTry is how long a namespace is written through core/v1 before it tries
	// events.k8s.io/v1 for itself; a Role may grant it in that namespace only.
	OwnPermissionTry = 30 * time.Minute

	// ExceptionMemory is how long the SDK remembers, after the last write in a namespace, that the
	// namespace is written through core/v1; the SDK must forget a namespace at some time, because
	// deleted namespaces would fill the memory, but not soon, because after a namespace that still
	// exists is forgotten, the next write in it costs a refused request and a log line.
	ExceptionMemory = 24 * time.Hour

	// ProbeEvery is the interval in which the SDK asks discovery whether the server serves
	// events.k8s.io/v1, until discovery answers, and the minimum time before the SDK asks again
	// after a write contradicts the answer; a server that has just started is used soon.
	ProbeEvery = 30 * time.Second

	// ReprobeEvery is the interval in which the SDK asks a server that does not serve
	// events.k8s.io/v1 again; only an upgrade of the server changes the answer.
	ReprobeEvery = 5 * time.Minute

	// ProbeTimeout is the time limit of a request to discovery or RBAC; it is shorter than
	// WriteTimeout, because a write may have to wait for the answer. The server answers from memory
	// within milliseconds.
	ProbeTimeout = 10 * time.Second

	// DialTimeout is the time limit for establishing a connection, as in http.DefaultTransport.
	DialTimeout = 30 * time.Second

	// KeepAlive is the interval between TCP keep-alive probes of an idle connection, as in
	// http.DefaultTransport.
	KeepAlive = 30 * time.Second
)

// The times of the log.
const (
	// LogEvery is the interval in which a lasting fault is logged once; the fault must not fill the
	// log.
	LogEvery = time.Minute

	// RemindEvery is the interval in which a fault that only a person can fix is logged again; the
	// first line about it may no longer be in the log when somebody looks.
	RemindEvery = 10 * time.Minute

	// StartWithin is how long a broadcaster may have Events to write before somebody starts it; then
	// it logs that it was not started, because a manager that nobody starts would lose its Events
	// silently.
	StartWithin = time.Minute

	// ClusterLogEvery is the interval in which package clusters logs once that it has dropped an
	// occurrence, because the call names a cluster that is not engaged (not in the set of
	// clusters); the interval is long because every such name has its own line.
	ClusterLogEvery = time.Hour
)
