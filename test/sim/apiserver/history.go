// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Object is what the server knows of one event, stored or deleted.
type Object struct {
	Namespace, Name string
	// Component is the user agent of the client that made it.
	Component string
	// Event is the event as it was created. It must not be changed.
	Event *corev1.Event
	// Legacy reports whether the event has no eventTime.
	Legacy bool
	// Group is the API group of its last write.
	Group string
	// Count is that of its last state, stored now or when it was deleted.
	Count int32
	// MaxAcked is the largest count that was acknowledged to its writer.
	MaxAcked int32
	// Ambiguous is the largest count that was stored, or may still be, without an acknowledgement.
	Ambiguous int32
	// Live reports whether it is stored now.
	Live bool
}

// history keeps what is known of events, also after they are deleted.
type history struct {
	ttl     time.Duration
	records map[recordKey]*record
	named   map[types.NamespacedName][]*record
	latest  map[sender]string // the share that it wrote last
	order   []*record         // the events that were stored, in the order of their first write
	live    []*record
}

// record is an event whose create has arrived.
type record struct {
	Object
	key     recordKey
	version string
	written time.Time
	applied bool // has been stored
	acked   bool // its writer knows that it is stored
	about   string
}

func newHistory() history {
	return history{
		ttl: time.Hour, records: make(map[recordKey]*record), named: make(map[types.NamespacedName][]*record),
		latest: make(map[sender]string),
	}
}

// register adds the event of a create, and completes a patch with what its create had.
func (h *history) register(a *query) {
	if a.resource == events {
		h.resolveShare(a)
	}
	switch r := h.records[a.key()]; {
	case a.resource != events:
	case r != nil && a.event != nil:
		h.name(r, a.eventName())
		a.legacy = r.Legacy
	case r != nil:
		a.legacy = r.Legacy
	case a.event != nil:
		r := &record{about: about(a.event), key: a.key(), Object: Object{
			Namespace: a.namespace, Name: a.name, Component: a.component, Event: a.event, Legacy: a.legacy,
		}}
		h.records[a.key()] = r
		h.name(r, a.eventName())
	}
	a.line = h.line(a)
}

// line describes a request without generated names and times.
func (h *history) line(a *query) string {
	words := []string{a.component, a.verb, a.resource}
	if a.resource == "" {
		words[2] = "discovery"
	}
	if a.group != "" {
		words[2] += "." + a.group
	}
	if a.namespace != "" {
		words = append(words, a.namespace)
	}
	switch r := h.records[a.key()]; {
	case a.review != nil && a.review.Spec.ResourceAttributes != nil:
		asked := a.review.Spec.ResourceAttributes
		words = append(words, asked.Verb, asked.Resource+"."+asked.Group)
	case a.resource != events:
	case r != nil:
		words = append(words, r.about)
	default:
		words = append(words, "of something unknown")
	}
	if a.count > 0 {
		words = append(words, fmt.Sprintf("x%d", a.count))
	}
	if a.conditional {
		words = append(words, "if unchanged")
	}
	return strings.Join(words, " ")
}

// about describes an event without its name. The start of the note is enough to tell variants apart.
func about(e *corev1.Event) string {
	note := e.Message
	if len(note) > 40 {
		note = note[:40]
	}
	line := fmt.Sprintf("%s %s %s/%s %s %q", reference(&e.InvolvedObject), e.Type, e.Reason, e.Action,
		e.ReportingController+e.Source.Component, note)
	if e.Related != nil {
		line += " with " + reference(e.Related)
	}
	return line
}

func reference(r *corev1.ObjectReference) string {
	line := r.Kind + "/" + r.Name
	if r.UID != "" {
		line += "[" + string(r.UID) + "]"
	}
	if r.FieldPath != "" {
		line += "#" + r.FieldPath
	}
	return line
}

// acknowledged reports whether the writer knows that the event is stored.
func (h *history) acknowledged(key recordKey) bool {
	r := h.records[key]
	return r != nil && r.acked
}

// update applies the end of a request, see apply.
func (h *history) update(q *Request, a answer, now time.Time) (lowered int32, doubled bool) {
	r := h.records[q.key()]
	if r == nil {
		return 0, false
	}
	if a.applied != nil {
		lowered, doubled = h.apply(a.applied, r.key, q.group, now)
	}
	delivered := !q.gaveUp
	switch {
	case delivered && a.isDuplicate() && q.verb == "create" && !q.Unique():
		r.acked = true // it has to look, with a patch
	case delivered && a.isSuccess(), delivered && a.isDuplicate() && q.verb == "create":
		r.acked = true
		r.MaxAcked = max(r.MaxAcked, q.count)
	case a.applied != nil:
		r.Ambiguous = max(r.Ambiguous, q.count)
	case delivered && a.gone:
		r.acked = false // it has to be created again
	}
	return lowered, doubled
}

// stored updates r to what the storage holds now. A write without effect does not change the version.
func (r *record) stored(event *corev1.Event, count int32, now time.Time) {
	if r.version != event.ResourceVersion {
		r.version, r.written = event.ResourceVersion, now
	}
	r.Count, r.Live, r.applied = count, true, true
}

// expire removes what is older than the TTL, as the storage does.
func (h *history) expire(now time.Time) {
	h.end(func(r *record) bool { return h.ttl > 0 && now.Sub(r.written) >= h.ttl })
}

// empty removes the events of a namespace.
func (h *history) empty(namespace string) {
	h.end(func(r *record) bool { return r.Namespace == namespace })
}

func (h *history) end(over func(*record) bool) {
	kept := h.live[:0]
	for _, r := range h.live {
		if r.Live = !over(r); r.Live {
			kept = append(kept, r)
		}
	}
	clear(h.live[len(kept):])
	h.live = kept
}

// pick returns the i-th stored event, modulo their number, and nil if there is none.
func (h *history) pick(i int, now time.Time) *record {
	h.expire(now)
	if len(h.live) == 0 {
		return nil
	}
	return h.live[i%len(h.live)]
}

// isDuplicate reports whether the answer says that the object already exists.
func (a answer) isDuplicate() bool { return a.err == nil && a.code == http.StatusConflict }
