// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/series"
)

// recordKey is an event, or under continuity what one series of one process counts, whatever the event is called.
type recordKey struct {
	types.NamespacedName        // without a name if there is a share
	share                string // its ID
}

// sender is a component that writes an event.
type sender struct {
	component string
	event     types.NamespacedName
}

// takeShare reads the sender's share, which comes last.
func (q *query) takeShare(annotations map[string]string) {
	if shares, err := series.SharesOf(annotations); err == nil && len(shares) > 0 {
		own := shares[len(shares)-1]
		q.share, q.count = own.ID, int32(own.Count)
	}
}

// Unique reports whether no other process can have made an event of that name, so that a duplicate is the sender's own.
func (q *query) Unique() bool {
	_, found := q.generation()
	return q.share == "" || !found
}

// generation returns the number at the end of the name. A name of the last resort has none.
func (q *query) generation() (n int, found bool) {
	n, err := strconv.Atoi(q.name[strings.LastIndexByte(q.name, '.')+1:])
	return n, err == nil
}

// resolveShare completes a patch without effect, which has no share: it is about the one that its sender wrote last.
func (h *history) resolveShare(q *query) {
	from := sender{q.component, q.eventName()}
	switch {
	case q.share != "":
		h.inheritShare(q, h.latest[from])
		h.latest[from] = q.share
	case q.verb == "patch":
		q.share = h.latest[from]
	}
}

// inheritShare registers a share that begins with a patch: the one that its sender had there before has expired, or was
// edited.
func (h *history) inheritShare(q *query, former string) {
	before := h.records[recordKey{types.NamespacedName{Namespace: q.namespace}, former}]
	if q.verb != "patch" || former == "" || before == nil || h.records[q.key()] != nil {
		return
	}
	r := &record{about: before.about, key: q.key(), acked: true, Object: Object{
		Namespace: q.namespace, Name: q.name, Component: q.component, Event: before.Event,
	}}
	h.records[q.key()] = r
	h.name(r, q.eventName())
}

// countIn returns what an event as it is stored has of r.
func (k recordKey) countIn(event *corev1.Event) (count int32, ok bool) {
	if k.share == "" {
		return countOf(event), true
	}
	if how := event.Labels[forged]; how != "" && how != validForgery {
		return 0, false // whatever it says
	}
	shares, _ := series.SharesOf(event.Annotations)
	for _, share := range shares {
		if share.ID == k.share {
			return int32(share.Count), true
		}
	}
	return 0, false
}

// name adds an event to those that may have r.
func (h *history) name(r *record, event types.NamespacedName) {
	if named := h.named[event]; !slices.Contains(named, r) {
		h.named[event] = append(named, r)
	}
}

// apply updates the records of an event to what the storage holds now. It returns by how much the write lowered the
// count of one of them, and whether one of them is in two events.
func (h *history) apply(
	event *corev1.Event, by recordKey, group string, now time.Time,
) (lowered int32, doubled bool) {
	for _, r := range h.named[types.NamespacedName{Namespace: event.Namespace, Name: event.Name}] {
		count, ok := r.key.countIn(event)
		if r.Live && r.Name == event.Name {
			lowered = max(lowered, r.Count-count)
		}
		if !ok {
			continue
		}
		doubled = doubled || r.Live && r.Name != event.Name
		r.Name = event.Name
		if !r.Live {
			h.live = append(h.live, r)
		}
		if !r.Live && r.key != by { // it had expired, and this is what another process remembers of it
			r.MaxAcked = min(r.MaxAcked, count)
		}
		if !r.applied {
			h.order = append(h.order, r)
		}
		r.stored(event, count, now)
		r.Group = group
	}
	return lowered, doubled
}

// checkShares checks that the count of a stored event is the sum of its shares, and that no component counts in an
// event that is not its own.
func (s *Server) checkShares(r *Request, stored *corev1.Event) {
	shares, err := series.SharesOf(stored.Annotations)
	var sum int64
	for _, share := range shares {
		sum += share.Count
	}
	switch how := stored.Labels[forged]; {
	case how != "" && how != validForgery:
		if how != fmt.Sprint(countOf(stored)) {
			s.violate("%s counts in an event that was forged", r)
		}
	case err == nil && sum != int64(countOf(stored)):
		s.violate("I3: %s leaves a count of %d with shares %v", r, countOf(stored), shares)
	}
}

// forged is a label of events that no component made: with the count, or one in which components count.
const (
	forged       = "forged"
	validForgery = "valid"
)

// Forge makes an event as another client, under the name that the i-th series with continuity, modulo their number, may
// take next. It reports whether it did.
func (s *Server) Forge(i, how int) (done bool) {
	s.set(func() {
		s.history.expire(s.now())
		var shared []*record
		for _, r := range s.history.order {
			if r.key.share != "" && s.namespaces[r.Namespace] == Active {
				shared = append(shared, r)
			}
		}
		if len(shared) > 0 {
			done = s.forge(shared[i%len(shared)], how)
		}
	})
	return done
}

func (s *Server) forge(r *record, how int) bool {
	e := r.Event.DeepCopy()
	e.ObjectMeta = metav1.ObjectMeta{
		Namespace: r.Namespace, Name: r.Name, Labels: map[string]string{}, Annotations: e.Annotations,
	}
	claim := func(count int32, last time.Time) {
		e.Annotations = map[string]string{series.Counts: fmt.Sprintf(`[{"id":"x","count":%d}]`, count)}
		e.Series = &corev1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(last)}
		e.Labels[forged] = fmt.Sprint(count)
	}
	e.Series, e.Count, e.Labels[forged] = nil, min(e.Count, 1), fmt.Sprint(1)
	switch now := s.now(); how % 6 {
	case 0:
		e.Reason += "Forged"
	case 1:
		delete(e.Annotations, series.Counts)
	case 2:
		e.Annotations = map[string]string{series.Counts: `[{"id":"x","count":-1}]`}
	case 3:
		claim(5, now)
		e.Labels[forged] = validForgery
	case 4:
		claim(5, now.Add(time.Hour))
	case 5:
		claim(math.MaxInt32, now)
	}
	events := s.storage.CoreV1().Events(r.Namespace)
	_, err := events.Create(context.Background(), e, metav1.CreateOptions{})
	if err == nil {
		return true
	}
	generation, found := (&query{name: e.Name}).generation()
	if !found {
		return false
	}
	e.Name = strings.TrimSuffix(e.Name, fmt.Sprint(generation)) + fmt.Sprint(generation+1)
	_, err = events.Create(context.Background(), e, metav1.CreateOptions{})
	return err == nil
}
