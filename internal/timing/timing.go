// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package timing

import "time"

// The back-offs.
var (
	// GateBackoff is the wait of a closed gate before a probe: short at first because most faults are a connection
	// that broke once, and at last long enough to spare a server that restarts. It has full jitter.
	GateBackoff = Backoff{First: 250 * time.Millisecond, Longest: 30 * time.Second}

	// HoldBackoff is the wait of a series whose write failed twice or was refused by itself, which is five requests in
	// the first minute and two a minute from then on.
	HoldBackoff = Backoff{First: 2 * time.Second, Longest: 30 * time.Second}

	// ConflictBackoff is the wait of a series whose Event somebody else has written: a few round trips at first,
	// because whoever was faster has written by then. Each series waits between half of it and one and a half times as
	// long, so that replicas that met in a conflict do not come back together.
	ConflictBackoff = Backoff{First: 100 * time.Millisecond, Longest: 25600 * time.Millisecond}

	// RefusalBackoff is the time in which a series that was refused drops occurrences before it tries one, so that
	// it is recorded within ten minutes after the refusal has ended, and costs ten requests in the first hour if it
	// never ends. The first wait is that of a terminating namespace. In each later hour there are eight requests.
	RefusalBackoff = Backoff{First: time.Minute, Longest: 8 * time.Minute}

	// PermissionBackoff is the wait before one of the namespaces that go through core/v1 tries events.k8s.io/v1 for
	// all of them: a minute at first for an operator who applies the remedy, and long at last because nothing is lost.
	// A ClusterRole grants events.k8s.io/v1 in all namespaces. A refused try costs one request.
	PermissionBackoff = Backoff{First: time.Minute, Longest: 10 * time.Minute}
)

// When series are written and given up. Users may change RefreshInterval, FinishInterval and DrainTimeout.
const (
	// PublishAfter is the time from the last write of a series to that of a doubled count, so that kubectl describe
	// moves while a million repeats cost about twenty writes.
	PublishAfter = 10 * time.Second

	// PublishEvery is the interval in which a component may write one more doubled count, after a burst, so that in the
	// long run one of a client's 50 requests a second is for them.
	PublishEvery = time.Second

	// RefreshInterval is the time from the last write of a series to that of anything unwritten (KEP-383), so that an
	// Event that goes on outlives the default --event-ttl of an hour.
	RefreshInterval = 30 * time.Minute

	// FinishInterval is the silence after which a series is over (KEP-383).
	FinishInterval = 6 * time.Minute

	// RetryFor is the age at which an unwritten occurrence is given up, because with the default --event-ttl the server
	// would have forgotten its Event by then.
	RetryFor = time.Hour

	// WriteTimeout is the bound of one attempt, below the 60 s of the API server.
	WriteTimeout = 30 * time.Second

	// DrainTimeout is the bound of Shutdown, well within the 30 s that a pod has to terminate.
	DrainTimeout = 5 * time.Second
)

// The writer, see "Who is to blame" in DESIGN.md.
const (
	// SlowWrite is the age at which a write makes room for others, because Kubernetes promises 99 of 100 calls that
	// change an object within a second (its API call latency SLO).
	SlowWrite = time.Second

	// HangingWrite is the age at which a write may be given up to make room although nothing has overtaken it: all
	// writes may be slow, so this is well above SlowWrite.
	HangingWrite = 8 * time.Second

	// GiveUpEvery is the interval in which one hanging write is given up, so that a server on which all writes are slow
	// keeps most of them.
	GiveUpEvery = 250 * time.Millisecond

	// LeastProbe is the bound of a probe of a failing namespace at first, because a webhook that is slow may answer
	// within it. Later a probe may take as long as the back-off before it, so that a thousand namespaces that hang have
	// their turns.
	LeastProbe = 5 * time.Second

	// LimiterPause is the time in which nothing is written after the client's own rate limiter has refused, because
	// with the deadline of a write near it refuses at once.
	LimiterPause = 250 * time.Millisecond

	// Evidence is the age up to which an answer counts as evidence about other namespaces, so that an old answer does
	// not hide what the server does now.
	Evidence = 10 * time.Second

	// WindowMemory is the time in which the window does not grow to a size at which the server refused, because the
	// server may have more room by then.
	WindowMemory = 5 * time.Second
)

// Answers of the server.
const (
	// UnsupportedPause is the wait between writes to an API that is not served, because only an upgrade of the server
	// changes the answer.
	UnsupportedPause = 30 * time.Second

	// LongestRetryAfter is the bound of Retry-After: kube-apiserver names 32 s at most (priority and fairness), and a
	// proxy that names a year must not hold Events until they are too old.
	LongestRetryAfter = 5 * time.Minute

	// ExistsPause is the wait between a Create that found another Event of its name and the Patch of that one, because
	// a sink that says both that it has the Event and that it has not must not be asked in a hot loop.
	ExistsPause = time.Second
)

// Series.
const (
	// DenialTime is the time over which a series must be refused by itself before it is given up: a webhook that
	// starts, or RBAC that has not reached every API server, refuses many times in a few seconds, and then no more.
	DenialTime = time.Minute

	// EvictionAge is the silence after which a Normal may take the slot of a series in a full cache, because repeats of
	// a series that lost its slot would become Creates.
	EvictionAge = time.Minute

	// LeastLifetime is the age below which an Event that is gone was deleted, because no server is configured to keep
	// Events for a shorter time.
	LeastLifetime = 2 * time.Minute

	// LifetimeTestEvery is the interval after which other series test the estimated lifetime of Events, so that a wrong
	// estimate is forgotten.
	LifetimeTestEvery = time.Hour

	// ClockJump is the least change of a clock that was set, or of a machine that was suspended: a clock that is
	// corrected moves by less between two answers.
	ClockJump = 10 * time.Second

	// MaxSkew is the time by which the clock of another process may be ahead, because the clocks of nodes differ a
	// little, and an Event that was last observed long after now is wrong.
	MaxSkew = time.Minute
)

// The end.
const (
	// StuckAfter is the time that goroutines have to return once their requests are cancelled, because a sink that
	// ignores its context must not hold up the end of the process. After it they are reported as stuck.
	StuckAfter = time.Second
)

// Permissions and discovery.
const (
	// ReviewEvery is the shortest time between two reviews of what RBAC allows in a namespace: no longer than
	// DenialTime, so that a series is given up only if RBAC was known to allow it meanwhile.
	ReviewEvery = time.Minute

	// OwnPermissionTry is the wait before a namespace that goes through core/v1 tries events.k8s.io/v1 by itself, where
	// a Role may grant it.
	OwnPermissionTry = 30 * time.Minute

	// ProbeEvery is the time between two questions whether events.k8s.io/v1 is served, and the shortest one after a
	// write has found that this changed, so that a server that starts is used soon.
	ProbeEvery = 30 * time.Second

	// ReprobeEvery is the time between two such questions to a server without events.k8s.io/v1, because only an upgrade
	// changes the answer.
	ReprobeEvery = 5 * time.Minute

	// ProbeTimeout is the bound of a question to discovery or RBAC: less than WriteTimeout, because a write may have to
	// wait for the answer. The server answers from memory, in milliseconds.
	ProbeTimeout = 10 * time.Second

	// DialTimeout is the bound of a new connection, as in http.DefaultTransport.
	DialTimeout = 30 * time.Second

	// KeepAlive is the time between TCP's probes of an idle connection, as in http.DefaultTransport.
	KeepAlive = 30 * time.Second
)

// The log.
const (
	// LogEvery is the interval in which a fault is logged once, so that a fault that lasts does not fill the log.
	LogEvery = time.Minute

	// RemindEvery is the interval in which a fault is logged that only a person can fix, because the first line may be
	// gone when somebody looks.
	RemindEvery = 10 * time.Minute

	// ClusterLogEvery is the interval in which an unknown cluster is logged once, because each name has its own line.
	ClusterLogEvery = time.Hour
)
