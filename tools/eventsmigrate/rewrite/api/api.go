// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package api knows the old API by its types, and what its names become in the new one. It looks at types, and never at
// code.
package api

import "fmt"

// Target is the API that rewritten code uses.
type Target string

const (
	// SDK is the eventseries SDK, the default.
	SDK Target = "sdk"
	// ClientGo is k8s.io/client-go/tools/events.
	ClientGo Target = "client-go"
	// ControllerRuntime is client-go's recorder as controller-runtime's manager hands it out.
	ControllerRuntime Target = "controller-runtime"
)

// ParseTarget returns the target of that name.
func ParseTarget(name string) (Target, error) {
	switch target := Target(name); target {
	case SDK, ClientGo, ControllerRuntime:
		return target, nil
	}
	return "", fmt.Errorf("unknown target %q: it is one of %s, %s, %s", name, SDK, ClientGo, ControllerRuntime)
}

// Import paths of the old API and of what takes its place.
const (
	Record       = "k8s.io/client-go/tools/record"
	ClientEvents = "k8s.io/client-go/tools/events"

	sdk     = "github.com/eventseries/eventseries"
	Events  = sdk + "/events"
	Adapter = sdk + "/adapter"
	Legacy  = sdk + "/legacy"
	// OurEvents and OurRecord have the names of ClientEvents and Record.
	OurEvents = sdk + "/clientgo/events"
	OurRecord = sdk + "/clientgo/record"
	// RecordEvents has the broadcaster of Record with the recorders of Events.
	RecordEvents = sdk + "/clientgo/recordevents"
	// Clusters has a broadcaster for each of many clusters.
	Clusters = sdk + "/clusters"
)

// Events is the package that has EventRecorder.
func (t Target) Events() string {
	if t == SDK {
		return Events
	}
	return ClientEvents
}
