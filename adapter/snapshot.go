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

// Snapshot is a copy of the state of an adapter, for health checks, for metrics, and for a person
// who looks for a fault. Package debug shows it as a page. Later versions may add fields.
type Snapshot struct {
	events.Snapshot
	// API is the way in which new occurrences are written: ModeEventsV1, ModeCoreV1 or ModeLegacy.
	API Mode `json:"api"`
	// Mode is the mode that WithMode or EVENTSERIES_API has set.
	Mode Mode `json:"mode"`
	// Support is the last answer of discovery, whether the API server serves events.k8s.io/v1.
	Support discovery.Support `json:"support,omitempty"`
	// Since is the time at which Support changed to this answer.
	Since time.Time `json:"since"`
	// LastError is the error of the last request to discovery. It is empty if discovery has
	// answered.
	LastError string `json:"lastError,omitempty"`
	// Namespaces has the namespaces in which writes are refused, and the exceptions, in which
	// Events go through core/v1 instead. A namespace is forgotten an hour after its last write, and
	// an exception after a day.
	Namespaces map[string]NamespaceStatus `json:"namespaces"`
	// Clusters has a snapshot of each engaged cluster. It is nil unless this is a snapshot of a
	// clusters.Set.
	Clusters map[string]Snapshot `json:"clusters,omitempty"`
}

// NamespaceStatus is the state of a namespace in which writes are or were refused.
type NamespaceStatus struct {
	// API is the way in which the Events of the namespace are written.
	API Mode `json:"api"`
	// Exception is true if the Events of the namespace go through core/v1 because RBAC has refused
	// events.k8s.io/v1 there, while the Events of other namespaces go through events.k8s.io/v1.
	Exception bool `json:"exception,omitempty"`
	// Access has the permissions of the component in the namespace, as the last access review found
	// them.
	Access discovery.Access `json:"access"`
	// LastError is the text of the last refusal of a write.
	LastError string `json:"lastError,omitempty"`
	// ReviewError is the error of the last access review. It is empty if the review was answered.
	ReviewError string `json:"reviewError,omitempty"`
	// Since is the time of the first refusal after the last time that writes were allowed.
	Since time.Time `json:"since"`
}

// Remedy returns the RBAC objects that the component lacks in this namespace, as one line of JSON
// for "kubectl apply -f -".
//
// It is empty if RBAC allows the writes, so that something else refuses them, such as a webhook. In
// an exception it is RBAC for events.k8s.io/v1.
func (s NamespaceStatus) Remedy() string { return discovery.Remedy(s.missing()...) }

// missing returns the access for which a remedy is needed, if there is one.
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

// ForbiddenNamespaces returns the number of namespaces in which RBAC refuses the API through which
// Events are written. If writes are refused and no access review was answered, it takes RBAC for
// the cause. It does not count a namespace in which a webhook refuses writes, nor an exception,
// unless RBAC denies core/v1 there as well.
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
// and at most n namespaces with a queue. It sends no request. Its cost grows with the number of
// series, as the cost of Stats does.
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

// textOf returns the text of err in at most 1000 bytes, and "" for nil. It does not panic if a
// method of err does, because err may come from code of the caller.
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return usercode.Shorten(usercode.Sprintf("%v", err), 1000)
}

// rawJSON is JSON as a value in a log line. A logger that writes JSON nests it, and klog writes it
// unchanged, whereas both would escape the quotes in a string. A logger that formats with %v also
// writes the text, whereas it would write the bytes of a json.RawMessage as numbers.
type rawJSON string

// MarshalJSON implements [json.Marshaler].
func (j rawJSON) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// clusterRoleHint returns a text for a log line with a remedy: how to grant the same in all
// namespaces, and what to do if the remedy cannot be applied because there is no such namespace.
// The API server refuses a write before it looks whether its namespace exists.
func clusterRoleHint(access discovery.Access) string {
	return "add apiGroups, resources and verbs of that rule to the ClusterRole bound to " +
		cmp.Or(access.User, "this component") +
		"; if kubectl does not find the namespace, correct the code that records there"
}
