// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/series"
)

// takeShare reads the share of the sender, which is the last one in the annotation.
func (r *request) takeShare(annotations map[string]string) {
	if shares, err := series.SharesOf(annotations); err == nil && len(shares) > 0 {
		own := shares[len(shares)-1]
		r.share, r.count = own.ID, int32(own.Count)
	}
}

// unique reports whether no other process can have made an event of that name. If the server has
// such an event, the sender has made it.
func (r *request) unique() bool {
	_, found := generation(r.name)
	return r.share == "" || !found
}

// provesItself reports whether the answer that the event exists proves that an attempt of this
// create was stored. It does if no other process can have made the event, and if the event was
// never acknowledged before, so that no earlier create with an older count can have arrived late.
func (r *request) provesItself() bool {
	return r.unique() && (r.legacy || r.stored.counted == 0)
}

// generation returns the number at the end of the name of a shared event. A name that is not shared
// has none.
func generation(name string) (n int, found bool) {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '.')+1:])
	return n, err == nil
}

// resolveShare finds the share of a patch without effect, which has none: it is the share that the
// sender wrote last. If a patch has a new share, resolveShare adds an entry for it, because the
// sender's earlier share in that event has expired or was changed by another client.
func (l *ledger) resolveShare(r *request) {
	from := sender{r.component, r.eventName()}
	former := l.latest[from]
	if r.share == "" {
		if r.verb == "patch" {
			r.share = former
		}
		return
	}
	before := l.entries[recordKey{types.NamespacedName{Namespace: r.namespace}, former}]
	if r.verb == "patch" && former != "" && before != nil && l.entries[r.key()] == nil {
		l.add(r, before.event, true)
	}
	l.latest[from] = r.share
}

// countIn returns the count of k in a stored event. It reports false if the event does not count k.
func (k recordKey) countIn(event *corev1.Event) (count int32, ok bool) {
	if k.share == "" {
		return countOf(event), true
	}
	if how := event.Labels[forged]; how != "" && how != validForgery {
		// The shares in a forged event do not count.
		return 0, false
	}
	shares, _ := series.SharesOf(event.Annotations)
	for _, share := range shares {
		if share.ID == k.share {
			return int32(share.Count), true
		}
	}
	return 0, false
}

// checkShares checks that the count of a stored event is the sum of its shares, and that no
// component counts in a forged event.
func (s *server) checkShares(r *request, stored *corev1.Event) {
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

// forged is a label of events that another client made. Its value is validForgery if components may
// count in the event. Otherwise it is the count of the event, which must not change.
const (
	forged       = "forged"
	validForgery = "valid"
)

// forge creates an event as another client does, under the name that the i-th series with shared
// counts, modulo their number, may use next. It reports whether it did.
func (s *server) forge(i, how int) (done bool) {
	s.set(func() {
		s.ledger.expire()
		var shared []*entry
		for _, e := range s.ledger.order {
			if e.key.share != "" && s.namespaces[e.namespace] == active {
				shared = append(shared, e)
			}
		}
		if len(shared) > 0 {
			done = s.createForged(shared[i%len(shared)].forgery(how))
		}
	})
	return done
}

// forgery returns an event that looks like the event of e.
func (e *entry) forgery(how int) *corev1.Event {
	f := e.event.DeepCopy()
	f.ObjectMeta = metav1.ObjectMeta{
		Namespace: e.namespace, Name: e.name, Labels: map[string]string{forged: "1"}, Annotations: f.Annotations,
	}
	f.Series, f.Count = nil, min(f.Count, 1)
	claim := func(count int32, last time.Time) {
		f.Annotations = map[string]string{series.Counts: fmt.Sprintf(`[{"id":"x","count":%d}]`, count)}
		f.Series = &corev1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(last)}
		f.Labels[forged] = fmt.Sprint(count)
	}
	switch now := time.Now(); how % 6 {
	case 0:
		f.Reason += "Forged"
	case 1:
		delete(f.Annotations, series.Counts)
	case 2:
		f.Annotations = map[string]string{series.Counts: `[{"id":"x","count":-1}]`}
	case 3:
		claim(5, now)
		f.Labels[forged] = validForgery
	case 4:
		claim(5, now.Add(time.Hour))
	case 5:
		claim(math.MaxInt32, now)
	}
	return f
}

// createForged creates e. If its name is taken, it uses the name of the next generation.
func (s *server) createForged(e *corev1.Event) bool {
	events := s.model.CoreV1().Events(e.Namespace)
	_, err := events.Create(context.Background(), e, metav1.CreateOptions{})
	if n, found := generation(e.Name); err != nil && found {
		e.Name = strings.TrimSuffix(e.Name, fmt.Sprint(n)) + fmt.Sprint(n+1)
		_, err = events.Create(context.Background(), e, metav1.CreateOptions{})
	}
	return err == nil
}
