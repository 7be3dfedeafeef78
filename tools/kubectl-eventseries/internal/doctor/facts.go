// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package doctor finds out why Events do not show up: Gather reads Facts from the API server, and Check makes Findings of
// them. Nothing is written: what may be created is asked by access reviews and by a dry run.
package doctor

import (
	"time"
)

// Facts are what the checks look at.
type Facts struct {
	// Namespace and Workload say what was asked about, such as deployment/hello. Without a workload it is empty.
	Namespace, Workload string
	// Account is the user name of the workload's service account.
	Account string
	// NotServed reports that the server does not have events.k8s.io/v1.
	NotServed   bool
	Rights      []Rights
	Variables   []Variable
	Admission   []Admission
	Trials      []Trial
	Terminating []string
	Lifetime    Lifetime
	// NoUID are the objects of Events without a UID.
	NoUID []string
	Page  *Page
	// Known are the names of the checks whose facts could be read. Unknown says why the others could not.
	Known, Unknown []string
}

// Rights are what the account may do in one namespace.
type Rights struct {
	Namespace string
	V1, Core  Verbs
}

// Verbs are what recording needs.
type Verbs struct{ Create, Patch bool }

func (v Verbs) all() bool { return v.Create && v.Patch }

// missing are the verbs that are not allowed.
func (v Verbs) missing() (verbs []string) {
	if !v.Create {
		verbs = append(verbs, "create")
	}
	if !v.Patch {
		verbs = append(verbs, "patch")
	}
	return verbs
}

// Variable is an environment variable of a container whose name begins with EVENTSERIES_.
type Variable struct{ Container, Name, Value string }

// Admission is a webhook or a policy that is asked about Events.
type Admission struct {
	// Resource and Object are the configuration, as kubectl names it.
	Resource, Object string
	// Name is the webhook's in its configuration, or the policy's.
	Name string
	// Conditions is the path of its match conditions, which exist if Conditional.
	Conditions  string
	Conditional bool
	// Explicit reports that it names events; otherwise it is asked about everything.
	Explicit bool
}

// Trial is a dry run of an Event.
type Trial struct {
	Namespace string
	// Refusal is the server's answer, empty if it would store the Event.
	Refusal string
}

// Lifetime is what was seen of how long Events live.
type Lifetime struct {
	// Oldest is the time since the last write of the Event that has not been written for longest.
	Oldest time.Duration
	// Expired are the times since the last write of Events that have gone a short while ago.
	Expired []time.Duration
}

// Page is what is used of the component's debug page.
type Page struct {
	// Command prints the page as JSON.
	Command string `json:"-"`

	Time      time.Time `json:"time"`
	RefusedIn int       `json:"refusedIn"`
	Stats     struct {
		Observed      int64            `json:"observed"`
		Pending       int64            `json:"pending"`
		Creates       int64            `json:"creates"`
		OldestPending time.Time        `json:"oldestPending"`
		Dropped       map[string]int64 `json:"dropped"`
	} `json:"stats"`
}
