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

// Snapshot is a copy of the state of an adapter, for health checks, metrics and debugging. Package
// debug serves it as a page. Later versions may add fields.
type Snapshot struct {
	events.Snapshot
	// API is how new occurrences are written: ModeEventsV1, ModeCoreV1 or ModeLegacy.
	API Mode `json:"api"`
	// Mode is the mode set by WithMode or EVENTSERIES_API.
	Mode Mode `json:"mode"`
	// Support says whether the API server serves events.k8s.io/v1, according to the last answer of
	// discovery.
	Support discovery.Support `json:"support,omitempty"`
	// Since is the time at which Support last changed.
	Since time.Time `json:"since"`
	// LastError is the error of the last discovery request. It is empty if the request succeeded.
	LastError string `json:"lastError,omitempty"`
	// Namespaces contains the namespaces in which writes are refused, and the exceptions:
	// namespaces in which Events go through core/v1 because RBAC refuses events.k8s.io/v1. A
	// namespace is forgotten an hour after its last write, and an exception a day after its last
	// write.
	Namespaces map[string]NamespaceStatus `json:"namespaces"`
	// Clusters contains a snapshot of each engaged cluster. It is nil unless this is the snapshot
	// of a clusters.Set.
	Clusters map[string]Snapshot `json:"clusters,omitempty"`
}

// NamespaceStatus is the state of a namespace in which writes are or were refused.
type NamespaceStatus struct {
	// API is how the Events of the namespace are written.
	API Mode `json:"api"`
	// Exception is true if the Events of the namespace go through core/v1 because RBAC has refused
	// events.k8s.io/v1 in this namespace, while the Events of other namespaces go through
	// events.k8s.io/v1.
	Exception bool `json:"exception,omitempty"`
	// Access holds the permissions of the component in the namespace, according to the last access
	// review.
	Access discovery.Access `json:"access"`
	// LastError is the text of the last refusal of a write.
	LastError string `json:"lastError,omitempty"`
	// ReviewError is the error of the last access review. It is empty if the review succeeded.
	ReviewError string `json:"reviewError,omitempty"`
	// Since is the time of the first refusal since writes were last allowed.
	Since time.Time `json:"since"`
}

// Remedy returns the RBAC objects that the component lacks in this namespace, as one line of JSON
// for "kubectl apply -f -".
//
// It is empty if RBAC allows the writes and something else, such as a webhook, refuses them. If
// s.Exception is true, the objects grant access to events.k8s.io/v1.
func (s NamespaceStatus) Remedy() string { return discovery.Remedy(s.missing()...) }

// missing returns the access that a remedy must grant, or nil if no remedy is needed.
func (s NamespaceStatus) missing() []discovery.Access {
	if !s.Exception && s.API.permission(s.Access) == discovery.Allowed {
		return nil
	}
	return []discovery.Access{s.Access}
}

// Remedy returns the RBAC objects that the component lacks in all namespaces, as one line of JSON
// for "kubectl apply -f -". It is empty if nothing is missing.
func (s Snapshot) Remedy() string {
	var all []discovery.Access
	for _, name := range slices.Sorted(maps.Keys(s.Namespaces)) {
		all = append(all, s.Namespaces[name].missing()...)
	}
	return discovery.Remedy(all...)
}

// ForbiddenNamespaces returns the number of namespaces in which RBAC forbids writing Events through
// the API in use. If writes are refused and no access review has been answered, it assumes that
// RBAC is the cause. It does not count namespaces in which a webhook refuses writes. It counts an
// exception only if RBAC denies core/v1 as well.
func (s Snapshot) ForbiddenNamespaces() (n int) {
	for _, namespace := range s.Namespaces {
		switch namespace.API.permission(namespace.Access) {
		case discovery.Denied:
			n++
		case discovery.PermissionUnknown:
			// The writes of an exception are stored through core/v1, whether or not a review says
			// so.
			if !namespace.Exception {
				n++
			}
		case discovery.Allowed:
		}
	}
	return n
}

// Snapshot returns a copy of the state of the adapter: all counters, at most n series in each list,
// and the gates of at most n namespaces. It sends no requests. Like Stats, it takes time
// proportional to the number of series.
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

// textOf returns the text of err, shortened to at most 1000 bytes, or "" if err is nil. err may
// come from user code, so textOf recovers if a method of err panics.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return usercode.Shorten(usercode.Sprintf("%v", err), 1000)
}

// rawJSON is JSON that is used as a value in a log line. A JSON logger nests a rawJSON and klog
// writes it verbatim; both would escape the quotes in a plain string. With %v a rawJSON prints as
// text, and a json.RawMessage would print as a list of byte values.
type rawJSON string

// MarshalJSON implements [json.Marshaler].
func (j rawJSON) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// clusterRoleHint returns advice to log next to a remedy: how to grant the same permissions in all
// namespaces, and what to do if the remedy cannot be applied because the namespace does not exist.
// A write in a namespace that does not exist can be refused by RBAC, because the API server
// authorizes a write before it checks whether the namespace exists.
func clusterRoleHint(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component") +
		"; if kubectl does not find the namespace, correct the code that records there"
}
