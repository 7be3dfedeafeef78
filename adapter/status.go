// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/eventseries/eventseries/discovery"
)

// Status says which API is in use and why, for health checks and debugging.
type Status struct {
	// API takes new occurrences: EventsV1, CoreV1 or Legacy.
	API API
	// Support is what discovery last answered, and Since when that was new.
	Support discovery.Support
	Since   time.Time
	// LastError is why the last probe was not answered, if it was not.
	LastError error
	// Namespaces are those in which writes were refused and have not succeeded
	// since, and those that are written through another API than the rest.
	Namespaces map[string]NamespaceStatus
}

// NamespaceStatus says how one namespace differs from the others.
type NamespaceStatus struct {
	// API is what its Events are written through.
	API API
	// Access is what RBAC was last found to allow.
	Access discovery.Access
	// LastError is the last refusal, or why RBAC could not be asked since then.
	LastError error
	// Since is the time of the first refusal.
	Since time.Time
}

// Remedy is the RBAC, as a line of JSON for kubectl apply -f -, that grants what is
// missing in this namespace; empty when nothing is, and something else refused.
func (s NamespaceStatus) Remedy() string { return discovery.Remedy(s.missing()...) }

func (s NamespaceStatus) missing() []discovery.Access {
	if s.API == EventsV1 && s.Access.EventsV1 == discovery.Allowed {
		return nil
	}
	return []discovery.Access{s.Access}
}

// Remedy is the RBAC, as a line of JSON for kubectl apply -f -, that grants what is
// missing in all namespaces; empty when nothing is.
func (s Status) Remedy() string {
	var all []discovery.Access
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		all = append(all, s.Namespaces[name].missing()...)
	}
	return discovery.Remedy(all...)
}

// Status returns what is known now. It sends no request.
func (a *Adapter) Status() Status {
	s := a.router.support.status()
	switch {
	case a.viaLegacy.Load(), a.config.mode == Legacy:
		s.API = Legacy
	case a.config.mode == CoreV1, a.config.mode == Auto && s.Support == discovery.NotServed:
		s.API = CoreV1
	default:
		s.API = EventsV1
	}
	s.Namespaces = a.router.permissions.status(s.API)
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

// clusterRoleHint says what remedies all namespaces at once.
func clusterRoleHint(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component")
}
