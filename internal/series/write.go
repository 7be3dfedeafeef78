// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"maps"
	"math"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/request"
)

// Write is one request: what goes on the wire, and the count that an
// acknowledgement of it records.
type Write struct {
	request.Request
	Event *eventsv1.Event
	Patch []byte // for Patch
	Count int64

	annotations map[string]string // changes that it carries
}

// next returns the write that brings the server up to date, or the look that it
// takes to build one.
func (s *Series) next() *Write {
	switch {
	case s.frozen != nil:
		return s.frozen
	case s.exists && s.unseen:
		return s.readVersion()
	}
	w := &Write{
		Request: request.Request{Op: request.Create},
		Event:   s.Event(), Count: s.count(), annotations: maps.Clone(s.changed),
	}
	if s.exists {
		w.Request = request.Request{
			Op: request.Patch, Unconditional: s.resourceVersion == "", AfterConflict: s.conflicted,
		}
		w.Patch = s.patch(w)
	}
	return w
}

// look asks for the object as it is stored. A patch without effect is answered
// with it, is not a write (facts: GuaranteedUpdate returns early), and needs no
// permission beyond that to patch. The Event has no series, as none is written.
func (s *Series) readVersion() *Write {
	w := &Write{
		Request: request.Request{Op: request.Patch, Unconditional: true, ReadVersion: true},
		Event:   s.Event(), Count: s.recorded, Patch: []byte("{}"),
	}
	w.Event.Series = nil
	return w
}

// acknowledge forgets the annotation changes that w carried, but for those that
// changed again meanwhile.
func (s *Series) acknowledge(w *Write) {
	for k, v := range w.annotations {
		if s.changed[k] == v {
			delete(s.changed, k)
		}
	}
}

// Event is the object as it should be on the server. It shares nothing with the
// series but strings.
func (s *Series) Event() *eventsv1.Event {
	k, h := s.Key(), s.Head()
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name: h.Name, Namespace: h.Namespace, Annotations: maps.Clone(s.annotations),
		},
		EventTime:           metav1.NewMicroTime(h.EventTime),
		ReportingController: k.ReportingController,
		ReportingInstance:   k.ReportingInstance,
		Action:              k.Action,
		Reason:              k.Reason,
		Regarding:           k.Regarding.reference(h.RegardingVersion, h.RegardingResourceVersion),
		Related:             relatedTo(&k, &h),
		Note:                h.Note,
		Type:                k.Type,
	}
	if s.count() > 1 {
		// The server refuses a series below 2 (rule S3).
		e.Series = &eventsv1.EventSeries{Count: wireCount(s.count()), LastObservedTime: metav1.NewMicroTime(s.last)}
	}
	return e
}

// NewSingle returns a series of one occurrence that no cache keeps: for who wants
// to know of each. It retains no memory of the caller.
func NewSingle(key *Key, head *Head, annotations map[string]string) *Series {
	var buf [2 * keyBuffer]byte
	s := newSeries(key.pack(buf[:0]), head)
	s.observed = 1
	s.annotate(annotations)
	return s
}

func relatedTo(k *Key, h *Head) *corev1.ObjectReference {
	if !h.HasRelated {
		return nil
	}
	ref := k.Related.reference(h.RelatedVersion, h.RelatedResourceVersion)
	return &ref
}

// patch is the strategic merge patch of a known object: only series and
// metadata may change through events.k8s.io/v1 (API validation, update rules).
// The resourceVersion keeps a delayed older patch from lowering the count.
func (s *Series) patch(w *Write) []byte {
	type metadata struct {
		ResourceVersion string            `json:"resourceVersion,omitempty"`
		Annotations     map[string]string `json:"annotations,omitempty"`
	}
	body := struct {
		Metadata *metadata             `json:"metadata,omitempty"`
		Series   *eventsv1.EventSeries `json:"series"`
	}{Series: w.Event.Series}
	meta := metadata{ResourceVersion: s.resourceVersion, Annotations: w.annotations}
	if meta.ResourceVersion != "" || len(meta.Annotations) > 0 {
		body.Metadata = &meta
	}
	data, _ := json.Marshal(body) // strings, an int32 and a MicroTime: nothing that can fail
	return data
}

// wireCount is n as the API's int32 can say it.
func wireCount(n int64) int32 { return int32(min(n, math.MaxInt32)) }
