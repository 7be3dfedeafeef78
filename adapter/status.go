// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
)

// Status says which API is in use and why, for health checks and debugging.
type Status struct {
	// API takes new occurrences: EventsV1, CoreV1 or Legacy.
	API API
	// Support is the last answer of discovery, and Since the time when it changed.
	Support discovery.Support
	Since   time.Time
	// LastError is the error of the last probe, nil if it was answered.
	LastError error
	// Namespaces has the namespaces in which writes are refused, and those that are
	// written through another API than the rest.
	Namespaces map[string]NamespaceStatus
	// Selector mutes what it does not select, and Muted counts the occurrences. It is
	// empty if it selects everything.
	Selector string
	Muted    int64
}

// NamespaceStatus says how one namespace differs from the others.
type NamespaceStatus struct {
	// API is the one that its Events are written through.
	API API
	// Access is the last known permission.
	Access discovery.Access
	// LastError is the last refusal, or the error of a later access review.
	LastError error
	// Since is the time of the first refusal.
	Since time.Time
}

// Remedy returns the missing RBAC objects for this namespace, as a line of JSON for
// kubectl apply -f -. It is empty if RBAC allows the writes and something else refused.
func (s NamespaceStatus) Remedy() string { return discovery.Remedy(s.missing()...) }

func (s NamespaceStatus) missing() []discovery.Access {
	if s.API == EventsV1 && s.Access.EventsV1 == discovery.Allowed {
		return nil
	}
	return []discovery.Access{s.Access}
}

// Remedy returns the missing RBAC objects for all namespaces, as a line of JSON for
// kubectl apply -f -. It is empty if nothing is missing.
func (s Status) Remedy() string {
	var all []discovery.Access
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		all = append(all, s.Namespaces[name].missing()...)
	}
	return discovery.Remedy(all...)
}

// Refused returns in how many namespaces RBAC refuses the API that Events go through. Those
// of a webhook, and those that go through the other API, are not among them.
func (s Status) Refused() (n int) {
	for _, namespace := range s.Namespaces {
		access := namespace.Access.EventsV1
		if namespace.API != EventsV1 {
			access = namespace.Access.CoreV1
		}
		if access != discovery.Allowed {
			n++
		}
	}
	return n
}

// Status returns the present state. It sends no request. Its cost grows with the number
// of series, as that of Stats.
func (a *Adapter) Status() Status {
	stats := a.Stats()
	return a.status(&stats)
}

func (a *Adapter) status(stats *events.Stats) Status {
	s := a.router.support.status()
	switch {
	case a.switched.Load(), a.config.mode == Legacy:
		s.API = Legacy
	case a.config.mode == CoreV1, a.config.mode == Auto && s.Support == discovery.NotServed:
		s.API = CoreV1
	default:
		s.API = EventsV1
	}
	s.Namespaces = a.router.permissions.status(s.API)
	s.Selector, s.Muted = a.selector.Load().String(), stats.Dropped[events.Muted]
	return s
}

// Remedy is Status().Remedy().
func (a *Adapter) Remedy() string { return a.Status().Remedy() }

// rawJSON is JSON as a value in the log. Loggers that write JSON nest it, and klog
// writes it as it is. They would escape all quotes of a string.
type rawJSON string

// MarshalJSON implements [json.Marshaler].
func (j rawJSON) MarshalJSON() ([]byte, error) { return []byte(cmp.Or(j, "null")), nil }

// maxRawJSON bounds a value in the log, as strings are bounded.
const maxRawJSON = 16 << 10

// remedy returns the remedy of access as a value for the log.
func remedy(access discovery.Access) any {
	text := access.Remedy()
	if len(text) > maxRawJSON {
		return text // the logger cuts it
	}
	return rawJSON(text)
}

// clusterRoleHint describes a remedy for all namespaces at once, and what it means when the
// other one fails: the API server refuses a write before it looks for the namespace.
func clusterRoleHint(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component") +
		"; if kubectl does not find the namespace, correct the code that records there"
}
