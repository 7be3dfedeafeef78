// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "slices"

// Signs of code that makes recorders or broadcasters of tools/events. Code that only takes a recorder has nothing to change.
var (
	eventsProvider = []byte(".GetEventRecorder(")
	eventsImport   = []byte(`"k8s.io/client-go/tools/events"`)
	eventsMakers   = [][]byte{[]byte("NewBroadcaster("), []byte("NewEventBroadcasterAdapter")}
)

// makesEvents reports whether one of the files makes a recorder or a broadcaster of tools/events.
func makesEvents(files []string) bool {
	return slices.ContainsFunc(files, func(name string) bool {
		file := []string{name}
		return mention(file, eventsProvider) || mention(file, eventsImport) && mention(file, eventsMakers...)
	})
}
