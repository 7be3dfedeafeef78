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

// Object is what the ledger knows of one event, live or gone.
type Object struct {
	Namespace, Name string
	// Component is the user agent of the client that made it.
	Component string
	// Event is how it was created. It must not be changed.
	Event *corev1.Event
	// Legacy tells an event without eventTime.
	Legacy bool
	// Group is the one it was last written through.
	Group string
	// Count is that of its newest state, stored now or when it went.
	Count int32
	// MaxAcked is the largest count that its writer knows to be stored.
	MaxAcked int32
	// Ambiguous is the largest count that was stored, or may be yet, without the writer knowing.
	Ambiguous int32
	// Live tells whether it is stored now.
	Live bool
}

// ledger remembers events beyond their end.
type ledger struct {
	ttl     time.Duration
	records map[types.NamespacedName]*record
	order   []*record // those that were stored, in the order of their first write
	live    []*record
}

// record is an event of which a create was seen.
type record struct {
	Object
	version string
	written time.Time
	applied bool // was stored once
	acked   bool // its writer knows that there is something to patch
	about   string
}

func newLedger() ledger {
	return ledger{ttl: time.Hour, records: make(map[types.NamespacedName]*record)}
}

// introduce completes what a says of itself, which for a patch is in the create that came before.
func (l *ledger) introduce(a *ask) {
	switch r := l.records[a.key()]; {
	case a.resource != events:
	case r != nil:
		a.legacy = r.Legacy
	case a.event != nil:
		l.records[a.key()] = &record{about: about(a.event), Object: Object{
			Namespace: a.namespace, Name: a.name, Component: a.component, Event: a.event, Legacy: a.legacy,
		}}
	}
	a.line = l.line(a)
}

// line says what a asks, without generated names and times.
func (l *ledger) line(a *ask) string {
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
	switch r := l.records[a.key()]; {
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

// about tells an event from others without its name. The note is cut: it is there to tell variants apart.
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

// acknowledged reports whether the writer knows that there is something to patch.
func (l *ledger) acknowledged(key types.NamespacedName) bool {
	r := l.records[key]
	return r != nil && r.acked
}

// book enters the end of a request. It returns the count that the write took from a live object.
func (l *ledger) book(q *Request, a answer, now time.Time) (lowered int32) {
	r := l.records[q.key()]
	if r == nil {
		return 0
	}
	if a.applied != nil {
		if r.Live {
			lowered = max(r.Count-countOf(a.applied), 0)
		} else {
			l.live = append(l.live, r)
		}
		if !r.applied {
			l.order = append(l.order, r)
		}
		r.stored(a.applied, now)
		r.Group = q.group
	}
	delivered := !q.gaveUp
	switch {
	case delivered && a.isSuccess(), delivered && a.isDuplicate() && q.verb == "create":
		r.acked = true
		r.MaxAcked = max(r.MaxAcked, q.count)
	case a.applied != nil:
		r.Ambiguous = max(r.Ambiguous, q.count)
	case delivered && a.gone:
		r.acked = false // has to be created anew
	}
	return lowered
}

// stored enters what the storage holds now. Its version tells whether anything changed.
func (r *record) stored(event *corev1.Event, now time.Time) {
	if r.version != event.ResourceVersion {
		r.version, r.written = event.ResourceVersion, now
	}
	r.Count, r.Live, r.applied = countOf(event), true, true
}

// expire ends what has outlived its lease, as the storage does.
func (l *ledger) expire(now time.Time) {
	l.end(func(r *record) bool { return l.ttl > 0 && now.Sub(r.written) >= l.ttl })
}

// empty ends all of a namespace.
func (l *ledger) empty(namespace string) {
	l.end(func(r *record) bool { return r.Namespace == namespace })
}

func (l *ledger) end(over func(*record) bool) {
	kept := l.live[:0]
	for _, r := range l.live {
		if r.Live = !over(r); r.Live {
			kept = append(kept, r)
		}
	}
	clear(l.live[len(kept):])
	l.live = kept
}

// pick returns the i-th live record, counted round, nil if there is none.
func (l *ledger) pick(i int, now time.Time) *record {
	l.expire(now)
	if len(l.live) == 0 {
		return nil
	}
	return l.live[i%len(l.live)]
}

// isDuplicate tells the answer that the object is there already.
func (a answer) isDuplicate() bool { return a.err == nil && a.code == http.StatusConflict }
