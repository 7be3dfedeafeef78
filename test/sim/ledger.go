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

// entry describes an event whose create has arrived. With shared counts it describes one share,
// which is the count of one series of one process. A share may move to an event with another name.
type entry struct {
	key             recordKey
	namespace, name string
	// component is the name of the component that made the event.
	component string
	// event is the event as it was created. It must not be changed.
	event *corev1.Event
	// legacy is true for an event without eventTime.
	legacy bool

	// count is the count in the stored event or, if it was deleted, the last one.
	count int32
	// maxAcked is the highest count that was acknowledged to the writer.
	maxAcked int32
	// live is true if the event is stored now, and applied if it is or was stored.
	live    bool
	applied bool
	// acked is true if the writer knows that the event is stored.
	acked   bool
	version string
	written time.Time

	// counted is the number of occurrences that the driver has counted as acknowledged.
	counted int64
	writes  history
}

// recordKey identifies an event, or a share in the count of an event.
type recordKey struct {
	// NamespacedName has no name if there is a share.
	types.NamespacedName
	// share is the ID of the share, or empty.
	share string
}

// sender is a component that writes an event.
type sender struct {
	component string
	event     types.NamespacedName
}

// ledger has an entry for each event that was ever sent, and with shared counts for each share. It
// keeps the entries of deleted events.
type ledger struct {
	ttl     time.Duration
	entries map[recordKey]*entry
	// named has the entries that may be in the event of a name.
	named map[types.NamespacedName][]*entry
	// latest has the ID of the share that each sender wrote last.
	latest map[sender]string
	// order has the entries that were ever stored, in the order of their first writes.
	order []*entry
	// live has the entries that are stored now.
	live []*entry
}

func newLedger() ledger {
	return ledger{
		entries: map[recordKey]*entry{}, named: map[types.NamespacedName][]*entry{}, latest: map[sender]string{},
	}
}

// register adds an entry for the event of a create. It finds the entry of a patch, and completes
// the patch from it.
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

// name notes that the event of this name may have the entry e.
func (l *ledger) name(e *entry, event types.NamespacedName) {
	if named := l.named[event]; !slices.Contains(named, e) {
		l.named[event] = append(named, e)
	}
}

// describe returns a text about a request that has no generated name and no time.
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

// describe returns a text about an event without its name. It has only the beginning of the note,
// because the variants of a note differ there.
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

// update applies the end of a request to the ledger. It returns the results of apply.
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
		// The sender must read the event, with a patch.
		e.acked = true
	case delivered && a.isSuccess(), isDuplicate:
		e.acked, e.maxAcked = true, max(e.maxAcked, r.count)
	case delivered && a.gone:
		// The sender must create the event again.
		e.acked = false
	}
	return lowered, doubled
}

// apply updates the entries of an event that was stored. If the write has lowered the count of an
// entry, it returns the difference. It also reports whether an entry is in two events.
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
			// The event had expired, and the share was written by another process, which may
			// remember an older count.
			if e.key != by {
				e.maxAcked = min(e.maxAcked, count)
			}
		}
		if !e.applied {
			l.order = append(l.order, e)
		}
		// A write without effect does not renew the TTL.
		if e.version != event.ResourceVersion {
			e.version, e.written = event.ResourceVersion, time.Now()
		}
		e.name, e.count, e.live, e.applied = event.Name, count, true, true
	}
	return lowered, doubled
}

// expire ends the entries of events that are older than the TTL, as the storage deletes these
// events.
func (l *ledger) expire() {
	l.end(func(e *entry) bool { return l.ttl > 0 && time.Since(e.written) >= l.ttl })
}

func (l *ledger) end(over func(*entry) bool) {
	l.live = slices.DeleteFunc(l.live, func(e *entry) bool {
		e.live = !over(e)
		return !e.live
	})
}
