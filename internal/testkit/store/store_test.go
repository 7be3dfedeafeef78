// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// internal/testkit/parity and test/controlplane/differential compare the answers of the store with
// a real server's. The tests here are about behaviour that a table of requests cannot show: time,
// memory, and the limits of watches.

const secondOccurrence = `{"series":{"count":2,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`

// r is a request about the Event web of namespace default.
var r = Request{Via: eventsv1.SchemeGroupVersion, Namespace: "default", Name: "web"}

func newEvent(name string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: name, Annotations: map[string]string{"a": "b"}},
		EventTime:           metav1.NewMicroTime(time.Date(2026, 11, 20, 11, 25, 19, 80374999, time.UTC)),
		ReportingController: "example.com/controller", ReportingInstance: "controller-1", Action: "Kill", Reason: "Killing",
		Type: corev1.EventTypeNormal, Message: "stop\xff",
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
}

func mustCreate(t *testing.T, s *Store, name string) *corev1.Event {
	t.Helper()
	stored, err := s.Create(r, newEvent(name))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

func mustPatch(t *testing.T, s *Store, body string) *corev1.Event {
	t.Helper()
	stored, err := s.Patch(r, Patch{types.StrategicMergePatchType, []byte(body)})
	if err != nil {
		t.Fatalf("patch %s: %v", body, err)
	}
	return stored
}

func mustWatch(t *testing.T, s *Store, version string) watch.Interface {
	t.Helper()
	w, err := s.Watch(Request{Via: r.Via}, metav1.ListOptions{ResourceVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// told returns the type, the name and the version of each event in w's channel.
func told(w watch.Interface) (all []string) {
	for {
		select {
		case event, open := <-w.ResultChan():
			if !open {
				return append(all, "closed")
			}
			object, err := meta.Accessor(event.Object)
			if err != nil { // a Status
				all = append(all, fmt.Sprint(event.Type, " ", apierrors.ReasonForError(apierrors.FromObject(event.Object))))
				continue
			}
			all = append(all, fmt.Sprint(event.Type, " ", object.GetName(), " ", object.GetResourceVersion()))
		default:
			return all
		}
	}
}

func checkTold(t *testing.T, w watch.Interface, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, told(w)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// Only a write that changes something renews the TTL. The next request after the expiry sends it to
// the watches. Caught: a patch without effect that renews the TTL; an expiry that no watch sees; a
// name that stays taken.
func TestTimeToLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New()
		s.SetTTL(10 * time.Second)
		mustCreate(t, s, "web")
		mustCreate(t, s, "db")
		w := mustWatch(t, s, "")
		time.Sleep(9 * time.Second)
		mustPatch(t, s, secondOccurrence)
		time.Sleep(9 * time.Second)
		mustPatch(t, s, secondOccurrence)
		mustPatch(t, s, "{}")
		checkTold(t, w, "ADDED db 2", "ADDED web 1", "MODIFIED web 3", "DELETED db 4")
		time.Sleep(time.Second - 1)
		if n := s.Len(); n != 1 {
			t.Errorf("%d stored before the end, want 1", n)
		}
		time.Sleep(1)
		if _, err := s.Get(r); !apierrors.IsNotFound(err) || len(s.Events()) != 0 {
			t.Errorf("after the end: %v", err)
		}
		mustCreate(t, s, "web")
		if !s.Expire("default", "web") || s.Expire("default", "web") {
			t.Error("Expire does not tell whether the Event was there")
		}
		checkTold(t, w, "DELETED web 5", "ADDED web 6", "DELETED web 7")
	})
}

// An Event arrives as if it were sent in JSON, and shares no memory with its caller. Caught: an
// answer that is no copy; a watch event that is no copy.
func TestStoreSharesNoMemory(t *testing.T) {
	s := New()
	one, other := mustWatch(t, s, ""), mustWatch(t, s, "")
	created, changed := mustCreate(t, s, "web"), mustPatch(t, s, secondOccurrence)
	same := mustPatch(t, s, secondOccurrence) // changes nothing
	(<-one.ResultChan()).Object.(*eventsv1.Event).Annotations["a"] = "scribble"
	for i, answer := range []*corev1.Event{created, changed, same} {
		answer.Annotations["a"] = "scribble"
		if answer.Series != nil {
			answer.Series.Count = 99
		}
		if now := s.Events()[0]; now.Annotations["a"] != "b" || now.Series.Count != 2 || now.Note != "stop\uFFFD" ||
			now.EventTime.Nanosecond() != 80374000 {
			t.Fatalf("after a change of answer %d: %v", i, now)
		}
	}
	if seen := (<-other.ResultChan()).Object.(*eventsv1.Event).Annotations["a"]; seen != "b" {
		t.Errorf("the other watcher sees %q", seen)
	}
}

// Caught: a history that answers although it has forgotten some of the changes; one change too few;
// a writer that waits for a reader; an end without its reason.
func TestLimitsOfWatches(t *testing.T) {
	s := New()
	mustCreate(t, s, "web")
	slow := mustWatch(t, s, "")
	for n := range historyLimit + 1 {
		mustPatch(t, s, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
	}
	checkTold(t, mustWatch(t, s, "1"), "ERROR Expired", "closed")
	if lines := told(mustWatch(t, s, "2")); len(lines) != historyLimit || lines[0] != "MODIFIED web 3" {
		t.Errorf("told %d, from %s", len(lines), lines[0])
	}
	last := strings.Join(told(slow)[queueLimit:], ", ")
	if want := "MODIFIED web 1001, ERROR Expired, closed"; last != want || len(s.watchers) != 1 {
		t.Errorf("the slow one is told %s, want %s; %d watchers", last, want, len(s.watchers))
	}
	slow.Stop()
}

// Each watcher sees growing versions while other watchers are stopped. Caught: a change that is
// sent without the lock.
func TestWatchConcurrentSafe(t *testing.T) {
	s := New()
	var writers, readers sync.WaitGroup
	for n := range 4 {
		w := mustWatch(t, s, "")
		readers.Go(func() {
			var last int64
			for event := range w.ResultChan() {
				version, err := parseVersion(event.Object.(*eventsv1.Event).ResourceVersion)
				if err != nil || version <= last {
					t.Errorf("version %d after %d: %v", version, last, err)
				}
				last = version
			}
		})
		writers.Go(func() {
			at, name := r, fmt.Sprintf("web.%d", n)
			at.Name = name
			if _, err := s.Create(at, newEvent(name)); err != nil {
				t.Error(err)
			}
			for i := range 20 {
				body := fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, i)
				if _, err := s.Patch(at, Patch{types.MergePatchType, []byte(body)}); err != nil {
					t.Error(err)
				}
			}
			w.Stop()
			s.Expire("default", name)
		})
	}
	writers.Wait()
	readers.Wait()
}
