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

// call is one call of a Recorder method, with the occurrence that it records.
type call struct {
	series.Occurrence
	regarding, related runtime.Object
	args               []any
	// verbatim is true if the note is not a format string.
	verbatim bool
	// formatted is true once the note is in its final form.
	formatted bool
	// correlated is true if the call is passed to client-go's correlator. The texts of such a call
	// are not repaired.
	correlated bool
	// repaired is the set of repairs that were made to this call.
	repaired repairSet
}

// set sets the arguments that all recording methods share. It fills in the caller's variable rather
// than returning a call, because a call is half a kilobyte and would have to be copied.
func (c *call) set(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c.regarding = regarding
	c.related = related
	c.Type = eventtype
	c.Reason = reason
	c.Action = action
	c.Note = note
}

// addAnnotations adds annotations to the call. It does not replace an annotation that the call
// already has. It changes neither the map annotations nor the map of the call.
func (c *call) addAnnotations(annotations map[string]string) {
	if len(c.Annotations) > 0 {
		annotations = maps.Clone(annotations)
		maps.Copy(annotations, c.Annotations)
	}
	c.Annotations = annotations
}

// unspecified is used as the reason and the action if a call has neither a reason nor an action.
const unspecified = "Unspecified"

// fillNames sets an empty reason to the action, or an empty action to the reason, because the API
// server requires both.
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

// formatNote formats the note with the args of the call, and then repairs the note. A second call
// does nothing.
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

// NotePolicy says how to handle occurrences that differ only in their notes. An Event has one note,
// and the API server does not let it be changed through events.k8s.io/v1 (API validation: "message:
// field is immutable").
//
// The policies are [NotesFirst], [NotesLatest] and the values that [NotesDistinct] returns. They
// can be compared with ==. The zero value is NotesFirst.
type NotePolicy struct{ policy engine.NotePolicy }

var (
	// NotesFirst counts occurrences with different notes in one series. The Event of the series
	// shows the note of the first occurrence. This is how KEP-383 defines a series. The notes of
	// later occurrences are not formatted, unless a watcher needs them. NotesFirst is the default.
	NotesFirst = NotePolicy{}
	// NotesLatest is like NotesFirst, but each write of the series also stores the newest note, in
	// the annotation eventseries.dev/latest-note of the Event.
	NotesLatest = NotePolicy{engine.NotesLatest()}
)

// NotesDistinct returns a policy that gives each different note a series, and therefore an Event,
// of its own, up to n at a time. If n series already have different notes, an occurrence with yet
// another note is counted in the newest of these series. Users of core/v1 may expect this policy,
// because client-go's tools/record keeps up to ten different notes apart.
//
// n must be at least 1. If n is lower, the option [WithNotePolicy] makes Start return an error, and
// [Recorder.WithNotePolicy] has no effect.
func NotesDistinct(n int) NotePolicy { return NotePolicy{engine.NotesDistinct(n)} }

// String returns the policy as it is written in code, such as "NotesDistinct(10)".
func (p NotePolicy) String() string { return p.policy.String() }

// referrer makes references to objects. It is safe for concurrent use.
type referrer struct {
	scheme *runtime.Scheme
	// kinds caches the kinds that scheme has returned. It maps a reflect.Type to a
	// *schema.GroupVersionKind.
	kinds sync.Map
}

// maxReference is the maximum size of a reference in bytes. References to valid objects are
// shorter, because most kinds limit a name to 253 bytes. The cache limits the number of series but
// not their size, so without this limit a caller could make the memory of the cache grow without
// bound.
const maxReference = 4096

// errNoIdentity is the error for an object that cannot be distinguished from others of its kind.
var errNoIdentity = errors.New("it has neither a name nor a UID; " +
	"pass an object that was read from the API server or created there, or the one that it belongs to")

// checkIdentity returns an error if ref has neither a name nor a UID. An object has neither before
// it is created on the server, or if a client did not find it and returned an empty object. A
// reader of the Event could not find such an object, and the occurrences about all such objects
// would be counted in one series.
func checkIdentity(ref *series.Reference) error {
	if ref.Name == "" && ref.UID == "" {
		return errNoIdentity
	}
	return nil
}

// refer sets *ref to a reference to obj, without allocating. It must be called without holding a
// lock, because it calls the methods of obj, which are user code. If they panic, refer returns an
// error.
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

// read sets *ref to the reference that client-go's [reference.GetReference] would return.
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

// kindOf returns the kind of obj according to the scheme. It caches the kind of each Go type,
// because the kind of a registered type cannot change. It does not cache errors, because a type may
// be registered later.
func (r *referrer) kindOf(obj runtime.Object) (*schema.GroupVersionKind, error) {
	t := reflect.TypeOf(obj)
	if gvk, ok := r.kinds.Load(t); ok {
		return gvk.(*schema.GroupVersionKind), nil
	}
	if r.scheme == nil {
		return nil, errors.New("the object has no kind and the recorder no scheme to look it up; " +
			"pass a scheme that has its type with events.WithScheme")
	}
	gvks, _, err := r.scheme.ObjectKinds(obj)
	if runtime.IsNotRegisteredError(err) {
		return nil, fmt.Errorf(
			"%w; add the type to this scheme, or pass a scheme that has it with events.WithScheme", err)
	}
	if err != nil {
		return nil, err
	}
	// ObjectKinds returns at least one kind, or an error.
	r.kinds.Store(t, &gvks[0])
	return &gvks[0], nil
}

// logNoUID logs that kubectl describe does not show the Event of c, because its object has no UID or
// no kind. It logs this only once for each broadcaster. It uses no sync.Once, because a sync.Once
// would hold a lock while the logger runs, and the logger itself might record an Event.
func (r *Recorder) logNoUID(c *call) {
	if r.b.loggedNoUID.Swap(true) {
		return
	}
	r.logger.Info("The object has no UID or no kind, so kubectl describe does not show its Events; "+
		"set both, or pass an object that was read from the API server", "advice", "no-uid",
		"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name), "kind", c.Regarding.Kind, "reason", c.Reason)
}
