// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// entry is what is known of an event whose create has arrived or, with shared counts, of what one series of one process
// counts, whatever the event is called.
type entry struct {
	key                        recordKey
	namespace, name, component string        // component made it
	event                      *corev1.Event // as it was created; it must not be changed
	legacy                     bool          // it has no eventTime

	count    int32 // of its last state, stored now or when it was deleted
	maxAcked int32 // the largest count that was acknowledged to its writer
	live     bool  // it is stored now
	applied  bool  // it has been
	acked    bool  // its writer knows that it is stored
	version  string
	written  time.Time

	counted int64   // that the driver has counted as acknowledged
	writes  history // what the driver knows of the writes of it
}

// recordKey is an event or a share.
type recordKey struct {
	types.NamespacedName        // without a name if there is a share
	share                string // its ID
}

// sender is a component that writes an event.
type sender struct {
	component string
	event     types.NamespacedName
}

// ledger keeps what is known of events, also after they are deleted.
type ledger struct {
	ttl     time.Duration
	entries map[recordKey]*entry
	named   map[types.NamespacedName][]*entry
	latest  map[sender]string // the share that it wrote last
	order   []*entry          // those that were stored, in the order of their first write
	live    []*entry
}

func newLedger() ledger {
	return ledger{
		entries: map[recordKey]*entry{}, named: map[types.NamespacedName][]*entry{}, latest: map[sender]string{},
	}
}

// register adds the event of a create, and completes a patch with what its create had.
func (l *ledger) register(r *request) {
	if r.resource == eventsResource {
		l.resolveShare(r)
		known := l.entries[r.key()]
		if known == nil && r.event != nil {
			known = l.add(r, r.event, false)
		} else if known != nil && r.event != nil {
			l.name(known, r.eventName())
		}
		if r.stored = known; known != nil {
			r.legacy = known.legacy
		}
	}
	r.line = r.describe()
}

func (l *ledger) add(r *request, event *corev1.Event, acked bool) *entry {
	e := &entry{
		key: r.key(), namespace: r.namespace, name: r.name, component: r.component, event: event,
		legacy: r.legacy, acked: acked,
	}
	l.entries[e.key] = e
	l.name(e, r.eventName())
	return e
}

// name adds an event to those that may have e.
func (l *ledger) name(e *entry, event types.NamespacedName) {
	if named := l.named[event]; !slices.Contains(named, e) {
		l.named[event] = append(named, e)
	}
}

// describe describes a request without generated names and times.
func (r *request) describe() string {
	words := []string{r.component, r.verb, r.resource}
	if r.resource == "" {
		words[2] = "discovery"
	}
	if r.group != "" {
		words[2] += "." + r.group
	}
	if r.namespace != "" {
		words = append(words, r.namespace)
	}
	switch {
	case r.review != nil:
		words = append(words, r.review.Verb, r.review.Resource+"."+r.review.Group)
	case r.stored != nil:
		words = append(words, describe(r.stored.event))
	case r.resource == eventsResource:
		words = append(words, "of something unknown")
	}
	if r.count > 0 {
		words = append(words, fmt.Sprintf("x%d", r.count))
	}
	if r.conditional {
		words = append(words, "if unchanged")
	}
	return strings.Join(words, " ")
}

// describe describes an event without its name. The start of the note is enough to tell variants apart.
func describe(e *corev1.Event) string {
	line := fmt.Sprintf("%s %s %s/%s %s %q", reference(&e.InvolvedObject), e.Type, e.Reason, e.Action,
		e.ReportingController+e.Source.Component, e.Message[:min(len(e.Message), 40)])
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

// update applies the end of a request, see apply.
func (l *ledger) update(r *request, a answer) (lowered int32, doubled bool) {
	e, delivered := r.stored, !r.gaveUp
	if e == nil {
		return 0, false
	}
	if a.applied != nil {
		lowered, doubled = l.apply(a.applied, e.key)
	}
	isDuplicate := delivered && a.isDuplicate() && r.verb == "create"
	switch {
	case isDuplicate && !r.provesItself():
		e.acked = true // it has to look, with a patch
	case delivered && a.isSuccess(), isDuplicate:
		e.acked, e.maxAcked = true, max(e.maxAcked, r.count)
	case delivered && a.gone:
		e.acked = false // it has to be created again
	}
	return lowered, doubled
}

// apply updates the entries of an event to what is stored now. It returns by how much the write lowered the count of one of
// them, and whether one of them is in two events.
func (l *ledger) apply(event *corev1.Event, by recordKey) (lowered int32, doubled bool) {
	for _, e := range l.named[types.NamespacedName{Namespace: event.Namespace, Name: event.Name}] {
		count, ok := e.key.countIn(event)
		if e.live && e.name == event.Name {
			lowered = max(lowered, e.count-count)
		}
		if !ok {
			continue
		}
		doubled = doubled || e.live && e.name != event.Name
		if !e.live {
			l.live = append(l.live, e)
			if e.key != by { // it had expired, and this is what another process remembers of it
				e.maxAcked = min(e.maxAcked, count)
			}
		}
		if !e.applied {
			l.order = append(l.order, e)
		}
		if e.version != event.ResourceVersion { // a write without effect does not renew the TTL
			e.version, e.written = event.ResourceVersion, time.Now()
		}
		e.name, e.count, e.live, e.applied = event.Name, count, true, true
	}
	return lowered, doubled
}

// expire removes what is older than the TTL, as the storage does.
func (l *ledger) expire() {
	l.end(func(e *entry) bool { return l.ttl > 0 && time.Since(e.written) >= l.ttl })
}

func (l *ledger) end(over func(*entry) bool) {
	l.live = slices.DeleteFunc(l.live, func(e *entry) bool {
		e.live = !over(e)
		return !e.live
	})
}
