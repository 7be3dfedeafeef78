// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import "time"

// The back-offs. Each has a first and a longest wait, and doubles with each failure in a row.
var (
	// GateBackoff is the wait before a closed gate of the writer lets a probe through, short at
	// first because most faults are a single broken connection, and long at last so that a server
	// that restarts is not flooded. The wait has full jitter: it is a random part of this time.
	GateBackoff = Backoff{First: 250 * time.Millisecond, Longest: 30 * time.Second}

	// HoldBackoff is the wait before the next write of a series whose write failed twice in a row
	// or was refused by admission, so that a failing series makes five requests in the first minute
	// and two in each later one.
	HoldBackoff = Backoff{First: 2 * time.Second, Longest: 30 * time.Second}

	// ConflictBackoff is the wait before the next write of a series that found its Event changed by
	// another process, a few round trips at first because the other process has finished its write
	// by then. Each series waits between half of this time and one and a half times as long, so
	// that replicas whose writes collided do not collide again.
	ConflictBackoff = Backoff{First: 100 * time.Millisecond, Longest: 25600 * time.Millisecond}

	// RefusalBackoff is the time in which a series that the server refused drops its occurrences
	// before it tries to write one again, so that a series is written within ten minutes after the
	// server has stopped refusing it, and a series that is refused for ever costs ten requests in
	// the first hour. In each later hour it costs eight. The first wait is also used for a series
	// in a namespace that is being deleted.
	RefusalBackoff = Backoff{First: time.Minute, Longest: 8 * time.Minute}

	// PermissionBackoff is the time after which one of the namespaces that are written through
	// core/v1 tries events.k8s.io/v1 on behalf of all of them, short at first for an operator who
	// has just applied the missing RBAC, and long at last because core/v1 loses nothing. One
	// namespace can try for all, because a ClusterRole grants events.k8s.io/v1 in all namespaces. A
	// try that is refused costs one request.
	PermissionBackoff = Backoff{First: time.Minute, Longest: 10 * time.Minute}
)

// The times at which series are written and dropped. Options can change RefreshInterval,
// FinishInterval and DrainTimeout.
const (
	// PublishAfter is the time from the last write of a series to the write of a count that has
	// doubled since, so that kubectl describe shows progress, and a million repeats nevertheless
	// cost only about twenty writes.
	PublishAfter = 10 * time.Second

	// PublishEvery is the interval in which a component may write one doubled count, once it has
	// used up an initial burst of such writes, so that in the long run they take one of the 50
	// requests a second that a client usually may make.
	PublishEvery = time.Second

	// RefreshInterval is the longest time from the last write of a series to the write of any newer
	// occurrence (KEP-383), so that the Event of a series that goes on outlives the server's
	// default --event-ttl of an hour.
	RefreshInterval = 30 * time.Minute

	// FinishInterval is the time without an occurrence after which a series ends (KEP-383); a later
	// occurrence begins a new one.
	FinishInterval = 6 * time.Minute

	// RetryFor is the age at which a pending occurrence is dropped, because with the default
	// --event-ttl of an hour the server would have deleted its Event by then.
	RetryFor = time.Hour

	// WriteTimeout is the time after which one attempt to write is cancelled, less than the 60 s
	// after which the API server gives up the request itself.
	WriteTimeout = 30 * time.Second

	// DrainTimeout is the longest time that Shutdown may take, well within the 30 s that a pod has
	// to terminate.
	DrainTimeout = 5 * time.Second
)

// The times of the writer. "Failed writes" in DESIGN.md explains them together.
const (
	// SlowWrite is the age at which an unanswered write leaves the window, so that another write
	// can begin; Kubernetes' service level objective is that 99 of 100 calls that change an object
	// are answered within this time.
	SlowWrite = time.Second

	// HangingWrite is the age at which an unanswered write may be cancelled to make room for others
	// although no later write was answered before it, well above SlowWrite, because all writes may
	// be slow.
	HangingWrite = 8 * time.Second

	// GiveUpEvery is the interval in which one such hanging write is cancelled, so that a server on
	// which all writes are slow still completes most of them.
	GiveUpEvery = 250 * time.Millisecond

	// LeastProbe is the time limit of the first probes of a failing namespace, because a slow
	// webhook may answer within it. The limit of a later probe is the back-off before it if that is
	// longer, so that a thousand namespaces that hang all have their turns.
	LeastProbe = 5 * time.Second

	// LimiterPause is the time in which nothing is written after the client's own rate limiter has
	// refused a write, because the limiter refuses without waiting when the deadline of the write
	// is near, so that an immediate retry would be refused as well.
	LimiterPause = 250 * time.Millisecond

	// Evidence is the age up to which an answer counts as evidence about other namespaces, so that
	// old answers do not hide the present state of the server.
	Evidence = 10 * time.Second

	// WindowMemory is the time after a refusal in which the window does not grow back to the size
	// at which the server refused; later it may, because the server may have more room by then.
	WindowMemory = 5 * time.Second
)

// The times that follow from answers of the server.
const (
	// UnsupportedPause is the wait between two writes to an API that the server does not serve,
	// because nothing except an upgrade of the server changes its answer.
	UnsupportedPause = 30 * time.Second

	// LongestRetryAfter is the longest Retry-After that the writer obeys: kube-apiserver asks for
	// 32 s at most (priority and fairness), and a proxy that asks for a year must not keep Events
	// until they are too old.
	LongestRetryAfter = 5 * time.Minute

	// ExistsPause is the wait between a Create that was answered with AlreadyExists and the Patch
	// of the Event that exists, because a sink that answers the Create with AlreadyExists and the
	// Patch with NotFound would otherwise be called in a busy loop.
	ExistsPause = time.Second
)

// The times of series.
const (
	// DenialTime is the time over which the refusals of one series must extend before its
	// occurrences are dropped, because a webhook that starts, or RBAC that has not reached every
	// API server yet, refuses many writes within seconds and none afterwards.
	DenialTime = time.Minute

	// EvictionAge is the time without an occurrence after which a series may be evicted from a full
	// cache to make room for a new series of Normals, because otherwise the repeats of series that
	// are still active would become new Events.
	EvictionAge = time.Minute

	// LeastLifetime is the age below which an Event that is gone must have been deleted by
	// somebody, because no server is configured to expire Events sooner.
	LeastLifetime = 2 * time.Minute

	// LifetimeTestEvery is the interval after which other series begin to test the estimate of how
	// long the server keeps Events, so that a wrong estimate is forgotten.
	LifetimeTestEvery = time.Hour

	// ClockJump is the smallest change of the wall clock against the monotonic clock that means
	// that the clock was set or the machine was suspended; the corrections of a synchronized clock
	// between two answers are smaller.
	ClockJump = 10 * time.Second

	// MaxSkew is the time by which the clock of another process may be ahead of this one, because
	// the clocks of nodes differ a little, whereas an Event that was last observed far in the
	// future is wrong.
	MaxSkew = time.Minute
)

// The times of the end of a broadcaster.
const (
	// StuckAfter is the time that goroutines have to return after their requests were cancelled,
	// because a sink that ignores its context must not keep the process from ending. Goroutines
	// that run longer are reported as stuck.
	StuckAfter = time.Second
)

// The times of questions to discovery and RBAC.
const (
	// ReviewEvery is the shortest time between two reviews of what RBAC allows in a namespace, no
	// longer than DenialTime, so that RBAC was reviewed at least once before a series that is
	// refused is dropped.
	ReviewEvery = time.Minute

	// OwnPermissionTry is the time after which a namespace that is written through core/v1 tries
	// events.k8s.io/v1 for itself, because a Role may grant it in that namespace alone.
	OwnPermissionTry = 30 * time.Minute

	// ExceptionMemory is the time without a write after which a namespace that is written through
	// core/v1 is forgotten, because it may have been deleted, long because the next write of a
	// namespace that is still there costs a refused request and a line of the log.
	ExceptionMemory = 24 * time.Hour

	// ProbeEvery is the interval in which the SDK asks whether the server serves events.k8s.io/v1
	// until it has an answer, and the shortest time between two such questions after writes that
	// contradict the last answer, so that a server that starts is used soon.
	ProbeEvery = 30 * time.Second

	// ReprobeEvery is the interval in which a server that does not serve events.k8s.io/v1 is asked
	// again, because nothing except an upgrade changes the answer.
	ReprobeEvery = 5 * time.Minute

	// ProbeTimeout is the time after which a question to discovery or RBAC is cancelled, less than
	// WriteTimeout, because a write may have to wait for the answer. The server answers from
	// memory, within milliseconds.
	ProbeTimeout = 10 * time.Second

	// DialTimeout is the time in which a new connection must be established, as in
	// http.DefaultTransport.
	DialTimeout = 30 * time.Second

	// KeepAlive is the interval of TCP's probes of an idle connection, as in http.DefaultTransport.
	KeepAlive = 30 * time.Second
)

// The times of the log.
const (
	// LogEvery is the interval in which a lasting fault is logged once, so that it does not fill
	// the log.
	LogEvery = time.Minute

	// RemindEvery is the interval in which a fault that only a person can fix is logged again,
	// because its first line may no longer be in the log when somebody looks.
	RemindEvery = 10 * time.Minute

	// ClusterLogEvery is the interval in which each unknown cluster is logged once, long because
	// every cluster has a line of its own.
	ClusterLogEvery = time.Hour
)
