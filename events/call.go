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

// call is one call of a Recorder, on its way to an occurrence.
type call struct {
	series.Occurrence
	regarding, related runtime.Object
	args               []any
	verbatim           bool // the note is no format
	formatted          bool // the note is as it goes on the wire
	correlated         bool // client-go's correlator takes it, which repairs no texts
	repaired           repairSet
}

// set sets what every call has. It saves copying a call, which is half a kilobyte.
func (c *call) set(regarding, related runtime.Object, eventtype, reason, action, note string) {
	c.regarding = regarding
	c.related = related
	c.Type = eventtype
	c.Reason = reason
	c.Action = action
	c.Note = note
}

// addAnnotations adds those that the call does not set itself.
func (c *call) addAnnotations(annotations map[string]string) {
	if len(c.Annotations) > 0 {
		annotations = maps.Clone(annotations)
		maps.Copy(annotations, c.Annotations)
	}
	c.Annotations = annotations
}

// unspecified stands in when neither a reason nor an action was given.
const unspecified = "Unspecified"

// fillNames gives one of reason and action in place of the other, which the API server
// refuses to be empty.
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

// repairNames cuts reason and action, and makes them valid UTF-8.
func (c *call) repairNames() {
	if c.correlated {
		return
	}
	c.Reason = repairText(c.Reason, maxName, RepairLength, &c.repaired)
	c.Action = repairText(c.Action, maxName, RepairLength, &c.repaired)
}

// formatNote turns the note and its args into what goes on the wire, once.
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

// NotePolicy says what happens to the notes of isomorphic occurrences. The API
// server never lets a note change through events.k8s.io/v1 (API validation:
// "message: field is immutable"), so one series has one note.
//
// The policies are [NotesFirst], [NotesLatest] and those that [NotesDistinct] returns. They can be
// compared. The zero value is NotesFirst.
type NotePolicy struct{ policy engine.NotePolicy }

var (
	// NotesFirst keeps the first note of a series (KEP-383: the note is no part
	// of what makes occurrences isomorphic). Repeats are not even formatted. It
	// is the default.
	NotesFirst = NotePolicy{}
	// NotesLatest is NotesFirst, and the newest note travels in the annotation
	// eventseries.dev/latest-note with each write of the series.
	NotesLatest = NotePolicy{engine.NotesLatest()}
)

// NotesDistinct gives up to n different notes of otherwise isomorphic
// occurrences a series each; further ones count in the newest of these. It is
// what callers who come from core/v1 expect. n must be at least 1: Start returns an error for an
// option with a lower one, and a recorder ignores it.
func NotesDistinct(n int) NotePolicy { return NotePolicy{engine.NotesDistinct(n)} }

// String names the policy as it is written in code.
func (p NotePolicy) String() string { return p.policy.String() }

// referrer turns objects into references. It is safe for concurrent use.
type referrer struct {
	scheme *runtime.Scheme
	kinds  sync.Map // reflect.Type → *schema.GroupVersionKind: the scheme's answers
}

// maxReference bounds what a series keeps of an object, in bytes. No object has
// names that long (most kinds allow 253 bytes), and the series in memory are
// counted, not weighed.
const maxReference = 4096

// errNoIdentity says that nothing tells an object from others of its kind.
var errNoIdentity = errors.New("it has neither a name nor a UID; " +
	"pass an object that was read from the API server or created there, or the one that it belongs to")

// identified is an error unless ref tells an object from others of its kind. One with neither
// a name nor a UID, as before it is created or after it was not found, is no object that a
// reader could find, and all of them would be counted in one series.
func identified(ref *series.Reference) error {
	if ref.Name == "" && ref.UID == "" {
		return errNoIdentity
	}
	return nil
}

// refer reads what an Event says about obj, without allocating. Code of the caller
// runs here; no lock is held.
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

// read says about every object what [reference.GetReference] says.
func (r *referrer) read(obj runtime.Object, ref *series.Reference) error {
	if obj == nil {
		return reference.ErrNilObject
	}
	object, err := meta.Accessor(obj)
	if err != nil { // a reference, a list, or nothing at all
		full, err := reference.GetReference(r.scheme, obj)
		if err != nil {
			return err
		}
		*ref = series.NewReference(full)
		return nil
	}
	own := obj.GetObjectKind().GroupVersionKind()
	gvk := &own
	if own.Empty() { // as nearly always with what typed clients and informers hand out
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

// kindOf asks the scheme, once per type: its answer cannot change for the types
// registered. An error is not kept, since a type may be registered later.
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
	r.kinds.Store(t, &gvks[0]) // there is one, or an error
	return &gvks[0], nil
}

// logNoUID logs once that kubectl describe does not show an Event. A sync.Once would hold a lock
// while the logger runs, which may itself record.
func (r *Recorder) logNoUID(c *call) {
	if r.b.noUID.Swap(true) {
		return
	}
	r.logger.Info("The object has no UID, so kubectl describe does not show its Events; "+
		"set the UID, or pass an object that was read from the API server", "advice", "no-uid",
		"object", klog.KRef(c.Regarding.Namespace, c.Regarding.Name), "kind", c.Regarding.Kind, "reason", c.Reason)
}
