// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/eventconv"
)

func TestTimeToLive(t *testing.T) {
	const ttl = 10 * time.Second
	for _, r := range []struct {
		name   string
		patch  string // sent every 4 s
		alive  time.Duration
		stored bool // after 100 s
	}{
		{"a patch without effect does not renew it", secondOccurrence, 14 * time.Second, false},
		{"an empty patch neither", `{}`, ttl, false},
		{"a new time with the same count does", "", 100 * time.Second, true},
	} {
		t.Run(r.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := New()
				s.SetTTL(ttl)
				event := newEvent("web.1")
				mustCreate(t, s, event)
				start, died := time.Now(), 100*time.Second
				for time.Since(start) < 100*time.Second {
					time.Sleep(4 * time.Second)
					body := r.patch
					if body == "" {
						body = fmt.Sprintf(`{"series":{"count":2,"lastObservedTime":%q}}`,
							time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"))
					}
					if _, err := patch(s, event, body); apierrors.IsNotFound(err) {
						died = time.Since(start)
						break
					}
				}
				if died < r.alive || died > r.alive+4*time.Second && !r.stored {
					t.Errorf("died after %v, want it to live %v", died, r.alive)
				}
				if stored := len(s.Events()) == 1; stored != r.stored {
					t.Errorf("stored: %v, want %v", stored, r.stored)
				}
			})
		})
	}
}

func TestExpiredNameIsFreeAgain(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(moment.Time)
	s := New()
	s.SetClock(clock)
	s.SetTTL(time.Hour)
	mustCreate(t, s, newEvent("web.1"))
	clock.SetTime(moment.Add(time.Hour - 1))
	if n := len(s.Events()); n != 1 {
		t.Errorf("%d events before the end, want 1", n)
	}
	clock.SetTime(moment.Add(time.Hour))
	if n := len(s.Events()); n != 0 {
		t.Errorf("%d events at the end, want 0", n)
	}
	mustCreate(t, s, newEvent("web.2"))
	clock.SetTime(moment.Add(2 * time.Hour))
	mustCreate(t, s, newEvent("web.2"))
	again := mustCreate(t, s, newEvent("web.1"))
	if again.UID == "" || !again.CreationTimestamp.Time.Equal(moment.Add(2*time.Hour).Truncate(time.Second)) {
		t.Errorf("created again as %s at %v", again.UID, again.CreationTimestamp)
	}
}

func TestExpire(t *testing.T) {
	s := New()
	mustCreate(t, s, newEvent("web.1"))
	if !s.Expire("default", "web.1") || s.Expire("default", "web.1") || s.Expire("other", "web.1") {
		t.Error("Expire does not tell whether the event was there")
	}
	if _, err := patch(s, newEvent("web.1"), secondOccurrence); !apierrors.IsNotFound(err) {
		t.Errorf("a patch of an expired event = %v, want NotFound", err)
	}
}

func TestEventsAreSorted(t *testing.T) {
	s := New()
	for _, event := range []string{"b/1", "a/2", "a/1", "b/0"} {
		mustCreate(t, s, in(event[:1], newEvent("web."+event[2:])))
	}
	got := ""
	for _, event := range s.Events() {
		got += event.Namespace + "/" + event.Name + " "
	}
	if want := "a/web.1 a/web.2 b/web.0 b/web.1 "; got != want {
		t.Errorf("Events() in order %q, want %q", got, want)
	}
}

func TestObjectsExpireTheOldestFirst(t *testing.T) {
	o := newObjects()
	o.ttl = time.Minute
	for i, name := range []string{"a", "b", "c"} {
		o.put(eventconv.ToCore(newEvent(name)), moment.Add(time.Duration(i)*time.Second))
	}
	o.put(eventconv.ToCore(newEvent("a")), moment.Add(10*time.Second)) // a fresh lease
	now := moment.Add(time.Minute + 2*time.Second)
	for old := o.expired(now); old != nil; old = o.expired(now) {
		o.remove(old.Namespace, old.Name)
	}
	left := o.sorted(func(*corev1.Event) bool { return true })
	if len(left) != 1 || left[0].Name != "a" || len(o.entries) != o.byExpiry.Len() {
		t.Errorf("left %v with %d leases, want only a", left, o.byExpiry.Len())
	}
}
