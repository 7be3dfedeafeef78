// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/reference"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/engine"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/usercode"
)

// call is one call of a Recorder, with the occurrence that is made of it.
type call struct {
	series.Occurrence
	regarding, related runtime.Object
	args               []any
	// verbatim means that the note is not a format.
	verbatim bool
	// formatted means that the note has the form in which it is sent.
	formatted bool
	// correlated means that client-go's correlator takes the call. Its texts are then not repaired.
	correlated bool
	// repaired has the repairs of this call.
	repaired repairSet
}

// set sets the arguments that every method of a Recorder has. It fills in a call of its caller,
// because a call has half a kilobyte, and to return one would copy it.
func (c *call) set(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c.regarding = regarding
	c.related = related
	c.Type = eventtype
	c.Reason = reason
	c.Action = action
	c.Note = note
}

// addAnnotations adds annotations to the call. If the call has an annotation already, it keeps its
// value. Neither map is changed.
func (c *call) addAnnotations(annotations map[string]string) {
	if len(c.Annotations) > 0 {
		annotations = maps.Clone(annotations)
		maps.Copy(annotations, c.Annotations)
	}
	c.Annotations = annotations
}

// unspecified is the reason and the action of a call that has neither.
const unspecified = "Unspecified"

// fillNames sets an empty reason to the action, or an empty action to the reason, because the API
// server refuses an Event without either.
func (c *call) fillNames() {
	if c.Reason == "" {
		c.Reason = cmp.Or(c.Action, unspecified)
		c.repaired.add(RepairReason)
	}
	if c.Action == "" {
		c.Action = c.Reason
		c.repaired.add(RepairAction)
	}
}

// repairNames makes the reason and the action valid UTF-8 and cuts them to the limit of the API
// server. It leaves a call for client-go's correlator unchanged.
func (c *call) repairNames() {
	if c.correlated {
		return
	}
	c.Reason = repairText(c.Reason, maxName, RepairLength, &c.repaired)
	c.Action = repairText(c.Action, maxName, RepairLength, &c.repaired)
}

// formatNote formats the note with its args and repairs it, unless this was done before.
func (c *call) formatNote() {
	if c.formatted {
		return
	}
	if !c.verbatim {
		c.Note = usercode.FormatNote(c.Note, c.args)
	}
	if !c.correlated {
		c.Note = repairNote(c.Note, &c.repaired)
	}
	c.formatted = true
}

// NotePolicy decides what happens to the notes of occurrences that differ in nothing else. An Event
// has one note, and the API server does not let it be changed through events.k8s.io/v1 (API
// validation: "message: field is immutable").
//
// The policies are [NotesFirst], [NotesLatest] and the results of [NotesDistinct]. They can be
// compared by ==. The zero value is NotesFirst.
type NotePolicy struct{ policy engine.NotePolicy }

var (
	// NotesFirst counts occurrences with different notes in one series, whose Event has the note of
	// the first one. KEP-383 defines a series in this way. The notes of later occurrences are not
	// formatted, unless a watcher needs them. It is the default.
	NotesFirst = NotePolicy{}
	// NotesLatest is like NotesFirst, but each write of the series also stores the newest note, in
	// the annotation eventseries.dev/latest-note of the Event.
	NotesLatest = NotePolicy{engine.NotesLatest()}
)

// NotesDistinct returns a policy by which each different note has a series, and so an Event, of its
// own, up to n at a time. Occurrences with further notes are counted in the newest of these series.
// Callers that come from core/v1 may expect this policy, because client-go's tools/record keeps up
// to ten different notes apart.
//
// n must be at least 1. With a lower n the option [WithNotePolicy] makes Start return an error, and
// [Recorder.WithNotePolicy] has no effect.
func NotesDistinct(n int) NotePolicy { return NotePolicy{engine.NotesDistinct(n)} }

// String returns the policy as it is written in code, such as "NotesDistinct(10)".
func (p NotePolicy) String() string { return p.policy.String() }

// referrer makes references to objects. It is safe for concurrent use.
type referrer struct {
	scheme *runtime.Scheme
	// kinds has the kinds that scheme has returned: *schema.GroupVersionKind by reflect.Type.
	kinds sync.Map
}

// maxReference is the largest number of bytes of a reference. No valid object has such long names,
// because most kinds allow 253 bytes. The memory of the cache is only bounded if each reference is,
// because the cache limits the number of its series and not their size.
const maxReference = 4096

// errNoIdentity is the error for an object that cannot be told from others of its kind.
var errNoIdentity = errors.New("it has neither a name nor a UID; " +
	"pass an object that was read from the API server or created there, or the one that it belongs to")

// checkIdentity returns an error if ref has neither a name nor a UID. An object has neither before
// it is created, or if it was not found. No reader could find such an object, and the occurrences
// about all of them would be counted in one series.
func checkIdentity(ref *series.Reference) error {
	if ref.Name == "" && ref.UID == "" {
		return errNoIdentity
	}
	return nil
}

// refer sets ref to a reference to obj, without allocating. It runs code of the caller, the methods
// of obj, so it must be called without a lock. A panic of this code becomes an error.
func (r *referrer) refer(obj runtime.Object, ref *series.Reference) (err error) {
	panicked := usercode.Call(func() { err = r.read(obj, ref) })
	switch {
	case panicked != nil && usercode.IsNil(obj):
		return fmt.Errorf("a nil %T", obj)
	case panicked != nil:
		return fmt.Errorf("a method of %T %w", obj, panicked)
	case err == nil && ref.Len() > maxReference:
		return fmt.Errorf("the names and versions are longer than %d bytes together", maxReference)
	}
	return err
}

// read sets ref to the reference that client-go's [reference.GetReference] would return.
func (r *referrer) read(obj runtime.Object, ref *series.Reference) error {
	if obj == nil {
		return reference.ErrNilObject
	}
	object, err := meta.Accessor(obj)
	if err != nil {
		// obj is a reference, a list, or not an object of the API.
		full, err := reference.GetReference(r.scheme, obj)
		if err != nil {
			return err
		}
		*ref = series.NewReference(full)
		return nil
	}
	own := obj.GetObjectKind().GroupVersionKind()
	gvk := &own
	// The objects of typed clients and informers nearly always lack their kind.
	if own.Empty() {
		gvk, err = r.kindOf(obj)
		if err != nil {
			return err
		}
	}
	ref.Group = gvk.Group
	ref.Version = gvk.Version
	ref.Kind = gvk.Kind
	ref.Namespace = object.GetNamespace()
	ref.Name = object.GetName()
	ref.UID = object.GetUID()
	ref.ResourceVersion = object.GetResourceVersion()
	return nil
}

// kindOf returns the kind of obj in the scheme. It asks the scheme once for each Go type, because
// the kind of a registered type cannot change. It does not keep errors, because a type may be
// registered later.
func (r *referrer) kindOf(obj runtime.Object) (*schema.GroupVersionKind, error) {
	t := reflect.TypeOf(obj)
	if gvk, ok := r.kinds.Load(t); ok {
		return gvk.(*schema.GroupVersionKind), nil
	}
	if r.scheme == nil {
		return nil, errors.New("the object has no kind and the recorder no scheme to look it up")
	}
	gvks, _, err := r.scheme.ObjectKinds(obj)
	if err != nil {
		return nil, err
	}
	// ObjectKinds returns at least one kind, or an error.
	r.kinds.Store(t, &gvks[0])
	return &gvks[0], nil
}

// logNoUID logs that kubectl describe does not show the Event, once in the life of the broadcaster.
// It uses no sync.Once, because that would hold a lock while the logger runs, and the logger may
// itself record an Event.
func (r *Recorder) logNoUID(c *call) {
	if r.b.loggedNoUID.Swap(true) {
		return
	}
	r.logger.Info("The object has no UID, so kubectl describe does not show its Events; "+
		"set the UID, or pass an object that was read from the API server", "advice", "no-uid",
		"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name), "kind", c.Regarding.Kind, "reason", c.Reason)
}
