// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rewrite

import (
	"cmp"
	"go/types"
)

// newName is what a name of the old package becomes.
type newName struct {
	path string // of the package that has it
	name string // empty if it stays the same
	lost string // what the old function takes, and the new one does not
}

// sdkNames has the names of the old package that the SDK has too. What they name has the same methods, fields and
// parameters there, but for the shape of the recorder.
var sdkNames = map[string]newName{
	"EventRecorder":       {path: sdkEvents},
	"EventRecorderLogger": {path: sdkEvents},

	"FakeRecorder":    {path: sdkKit},
	"NewFakeRecorder": {path: sdkKit},

	"EventBroadcaster":  {path: sdkAdapter},
	"NewBroadcaster":    {path: sdkAdapter},
	"BroadcasterOption": {path: sdkAdapter, name: "Option"},
	"WithContext":       {path: sdkAdapter},

	"NewBroadcasterForTests":              {path: sdkAdapter, name: "NewBroadcaster", lost: "sleep duration"},
	"NewBroadcasterWithCorrelatorOptions": {path: sdkAdapter, name: "NewBroadcaster", lost: "correlator options"},
}

// clientNames has those that client-go's events package has too. Its broadcaster wants its client when it is made.
var clientNames = map[string]newName{
	"EventRecorder":       {path: clientEvents},
	"EventRecorderLogger": {path: clientEvents},
	"FakeRecorder":        {path: clientEvents},
	"NewFakeRecorder":     {path: clientEvents},
}

// becomes returns what an object of the old package becomes, and false if it has no counterpart.
func (c *Config) becomes(obj types.Object) (newName, bool) {
	if !isTopLevel(obj) {
		return newName{}, false
	}
	names := clientNames
	if c.target() == SDK {
		names = sdkNames
	}
	to, ok := names[obj.Name()]
	to.name = cmp.Or(to.name, obj.Name())
	return to, ok
}

// isTopLevel reports whether an object is declared at the top of the old package. Its methods and fields come with
// values of its types.
func isTopLevel(obj types.Object) bool {
	return obj != nil && isNamed(obj, recordPath, obj.Name()) && obj.Parent() == obj.Pkg().Scope()
}

// lostOptions are the options of the old broadcaster that the new one does not have.
var lostOptions = map[string]string{
	"WithSleepDuration": "sleep duration", "WithCorrelatorOptions": "correlator options",
}
