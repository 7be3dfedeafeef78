// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"cmp"
	"go/types"
)

// Name is what a name of the old package becomes.
type Name struct {
	Path string // of the package that has it
	Name string
	Lost bool // the new function does not take what the old one takes
}

// ManagerMethod is the method of controller-runtime's manager that makes an old recorder.
const ManagerMethod = "GetEventRecorderFor"

// NewBroadcaster is the SDK's name of the function that makes a broadcaster without a client.
const NewBroadcaster = "NewBroadcaster"

// NotesApart is the SDK's policy by which Events differ by their notes, as the old recorder had it: from the tenth similar
// note on it wrote one combined Event.
const NotesApart = "NotesDistinct(10)"

// sdkNames has the names of the old package that the SDK has, too. Their methods, fields and parameters are the same
// there, except for the shape of the recorder.
var sdkNames = map[string]Name{
	"EventRecorder":       {Path: Events},
	"EventRecorderLogger": {Path: Events},
	"FakeRecorder":        {Path: Events},
	"NewFakeRecorder":     {Path: Events},

	"EventBroadcaster":  {Path: RecordEvents},
	"NewBroadcaster":    {Path: RecordEvents},
	"BroadcasterOption": {Path: RecordEvents},
	"WithContext":       {Path: RecordEvents},

	"NewBroadcasterForTests":              {Path: RecordEvents, Name: NewBroadcaster, Lost: true},
	"NewBroadcasterWithCorrelatorOptions": {Path: RecordEvents, Name: NewBroadcaster, Lost: true},
}

// clientNames has those that client-go's events package has too. Its broadcaster wants its client when it is made.
var clientNames = map[string]Name{
	"EventRecorder":       {Path: ClientEvents},
	"EventRecorderLogger": {Path: ClientEvents},
	"FakeRecorder":        {Path: ClientEvents},
	"NewFakeRecorder":     {Path: ClientEvents},
}

// Becomes returns what an object of the old package becomes, and false if it has no counterpart.
func (t Target) Becomes(obj types.Object) (Name, bool) {
	if !IsTopLevel(obj) {
		return Name{}, false
	}
	return t.BecomesNamed(obj.Name())
}

// BecomesNamed returns what the object of the old package with a name becomes.
func (t Target) BecomesNamed(name string) (Name, bool) {
	names := clientNames
	if t == SDK {
		names = sdkNames
	}
	to, ok := names[name]
	to.Name = cmp.Or(to.Name, name)
	return to, ok
}
