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
	"github.com/eventseries/eventseries/internal/usercode"
)

// Snapshot is a copy of what an adapter holds, for health checks, metrics, and a person who
// looks for a fault. Package debug shows it. Fields may be added.
type Snapshot struct {
	events.Snapshot
	// API takes new occurrences: ModeEventsV1, ModeCoreV1 or ModeLegacy. Mode is what WithMode or
	// EVENTSERIES_API asked for.
	API  Mode `json:"api"`
	Mode Mode `json:"mode"`
	// Support is the last answer of discovery, and Since the time when it changed.
	Support discovery.Support `json:"support,omitempty"`
	Since   time.Time         `json:"since"`
	// LastError is the error of the last probe, empty if it was answered.
	LastError string `json:"lastError,omitempty"`
	// Namespaces has the namespaces in which writes are refused, and those that are
	// written through another API than the rest.
	Namespaces map[string]NamespaceStatus `json:"namespaces"`
	// Clusters has what each engaged cluster holds, if it is a snapshot of a clusters.Set.
	Clusters map[string]Snapshot `json:"clusters,omitempty"`
}

// NamespaceStatus says how one namespace differs from the others.
type NamespaceStatus struct {
	// API is the one that its Events are written through.
	API Mode `json:"api"`
	// Exception says that RBAC has refused events.k8s.io/v1 here, so that the Events of this namespace
	// go through core/v1, unlike those of the others.
	Exception bool `json:"exception,omitempty"`
	// Access is the last known permission.
	Access discovery.Access `json:"access"`
	// LastError is the last refusal of a write.
	LastError string `json:"lastError,omitempty"`
	// ReviewError is the error of the last access review, empty if it was answered.
	ReviewError string `json:"reviewError,omitempty"`
	// Since is the time of the first refusal.
	Since time.Time `json:"since"`
}

// Remedy returns the missing RBAC objects for this namespace, as a line of JSON for
// kubectl apply -f -. It is empty if RBAC allows the writes through API and something else refuses them,
// unless the namespace is an exception.
func (s NamespaceStatus) Remedy() string { return discovery.Remedy(s.missing()...) }

func (s NamespaceStatus) missing() []discovery.Access {
	if !s.Exception && s.API.permission(s.Access) == discovery.Allowed {
		return nil
	}
	return []discovery.Access{s.Access}
}

// Remedy returns the missing RBAC objects for all namespaces, as a line of JSON for
// kubectl apply -f -. It is empty if nothing is missing.
func (s Snapshot) Remedy() string {
	var all []discovery.Access
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		all = append(all, s.Namespaces[name].missing()...)
	}
	return discovery.Remedy(all...)
}

// ForbiddenNamespaces returns the number of namespaces in which RBAC refuses the API that Events go
// through. It leaves out namespaces in which a webhook refuses, and exceptions, unless RBAC denies core/v1
// there, too. Where writes are refused and no review was answered, RBAC is taken for the cause.
func (s Snapshot) ForbiddenNamespaces() (n int) {
	for _, namespace := range s.Namespaces {
		switch namespace.API.permission(namespace.Access) {
		case discovery.Denied:
			n++
		case discovery.PermissionUnknown:
			// The writes of an exception are stored through core/v1, whether or not a review says so.
			if !namespace.Exception {
				n++
			}
		case discovery.Allowed:
		}
	}
	return n
}

// Snapshot returns what the adapter holds: all accounts, and at most n series of each kind and
// n namespaces with a queue. It sends no request. Its cost grows with the number of series, as
// that of Stats.
func (a *Adapter) Snapshot(n int) Snapshot {
	s := Snapshot{Snapshot: a.engine.Snapshot(n), Mode: a.config.mode}
	known := a.router.support.known.Load()
	s.Support = known.Support
	s.Since = known.since
	s.LastError = known.lastError
	s.API = a.router.usual()
	if a.router.support.correlated.Load() || s.Mode == ModeLegacy {
		s.API = ModeLegacy
	}
	s.Namespaces = a.router.permissions.status(s.API)
	s.Options = append(slices.Clone(s.Options), a.config.environment...)
	return s
}

// textOf returns what an error says, which may be a client's, in 1000 bytes at most.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return usercode.Shorten(usercode.Sprintf("%v", err), 1000)
}

// rawJSON is JSON as a value in the log. Loggers that write JSON nest it, and klog
// writes it as it is. They would escape all quotes of a string. Those that use %v write
// it, too, which they would not do with the bytes of a json.RawMessage.
type rawJSON string

// MarshalJSON implements [json.Marshaler].
func (j rawJSON) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// clusterRoleHint describes a remedy for all namespaces at once, and what it means when the
// other one fails: the API server refuses a write before it looks for the namespace.
func clusterRoleHint(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component") +
		"; if kubectl does not find the namespace, correct the code that records there"
}
