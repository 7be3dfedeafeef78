// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
)

func mustWatch(t *testing.T, s *Store, r Request, options metav1.ListOptions) watch.Interface {
	t.Helper()
	w, err := s.Watch(r, options)
	if err != nil {
		t.Fatalf("watch %+v = %v", options, err)
	}
	return w
}

// told is what is in w's channel, one line each: the type, the name and the version.
func told(w watch.Interface) string {
	var lines []string
	for {
		select {
		case event, open := <-w.ResultChan():
			if !open {
				return strings.Join(append(lines, "closed"), "\n")
			}
			lines = append(lines, line(event))
		default:
			return strings.Join(lines, "\n")
		}
	}
}

func line(event watch.Event) string {
	if err := apierrors.FromObject(event.Object); event.Type == watch.Error {
		return fmt.Sprintf("ERROR %s", apierrors.ReasonForError(err))
	}
	object, err := meta.Accessor(event.Object)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", event.Type, object.GetName(), object.GetResourceVersion()))
}

func checkTold(t *testing.T, w watch.Interface, want ...string) {
	t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n"), told(w)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

// Caught: an unchanged Event told; another namespace told; a DELETED with the version of the last write; what is not
// selected any more forgotten without a word.
func TestWatch(t *testing.T) {
	for _, r := range []struct {
		name      string
		namespace string
		options   metav1.ListOptions
		want      string
	}{
		{"everything", "", metav1.ListOptions{}, "ADDED a 1,ADDED b 2,MODIFIED a 3,ADDED c 4,MODIFIED a 5,DELETED b 6"},
		{"one namespace", "default", metav1.ListOptions{}, "ADDED a 1,MODIFIED a 3,MODIFIED a 5"},
		{"another", "other", metav1.ListOptions{ResourceVersion: "0"}, "ADDED b 2,ADDED c 4,DELETED b 6"},
		{"from a version on", "", metav1.ListOptions{ResourceVersion: "1"},
			"ADDED b 2,MODIFIED a 3,ADDED c 4,MODIFIED a 5,DELETED b 6"},
		{"from now on", "", metav1.ListOptions{ResourceVersion: "2"}, "MODIFIED a 3,ADDED c 4,MODIFIED a 5,DELETED b 6"},
		{"from a version to come", "", metav1.ListOptions{ResourceVersion: "5"}, "DELETED b 6"},
		{"into the selection and out", "", metav1.ListOptions{LabelSelector: "l=1"}, "ADDED a 3,DELETED a 5"},
		{"by a field", "", metav1.ListOptions{FieldSelector: "metadata.name=b"}, "ADDED b 2,DELETED b 6"},
		{"with a bookmark", "default", metav1.ListOptions{SendInitialEvents: ptr.To(true), AllowWatchBookmarks: true,
			ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan},
			"ADDED a 1,BOOKMARK  2,MODIFIED a 3,MODIFIED a 5"},
	} {
		t.Run(r.name, func(t *testing.T) {
			s := New()
			a, b := newEvent("a"), in("other", newEvent("b"))
			mustCreate(t, s, a)
			mustCreate(t, s, b)
			w := mustWatch(t, s, Request{Via: eventsGV, Namespace: r.namespace}, r.options)
			mustPatch(t, s, a, `{"metadata":{"labels":{"l":"1"}}}`)
			mustPatch(t, s, a, `{}`)
			mustCreate(t, s, in("other", newEvent("c")))
			mustPatch(t, s, a, `{"metadata":{"labels":{"l":"2"}}}`)
			if err := s.Delete(about(coreGV, b), nil); err != nil {
				t.Error(err)
			}
			checkTold(t, w, strings.Split(r.want, ",")...)
		})
	}
}

// Caught: options that do not go together and are taken.
func TestOptionsThatDoNotGoTogether(t *testing.T) {
	s, r := New(), Request{Via: eventsGV}
	_, err := s.Watch(r, metav1.ListOptions{SendInitialEvents: ptr.To(true)})
	checkStatus(t, err, http.StatusUnprocessableEntity, apierrors.IsInvalid)
	_, _, err = s.List(r, metav1.ListOptions{ResourceVersionMatch: metav1.ResourceVersionMatchExact})
	checkStatus(t, err, http.StatusUnprocessableEntity, apierrors.IsInvalid)
}

func TestWatchShowsTheViewOfItsGroup(t *testing.T) {
	s := New()
	mustCreate(t, s, newEvent("a"))
	viaEvents := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	viaCore := mustWatch(t, s, Request{Via: coreGV}, metav1.ListOptions{})
	for range 2 {
		event, isEvent := (<-viaEvents.ResultChan()).Object.(*eventsv1.Event)
		core, isCore := (<-viaCore.ResultChan()).Object.(*corev1.Event)
		if !isEvent || !isCore || event.Note != "stopping" || core.Message != "stopping" {
			t.Fatalf("told %v and %v, want the Event of each group", event, core)
		}
		event.Note, core.Message = "scribble", "scribble" // reaches nobody
		mustPatch(t, s, newEvent("a"), secondOccurrence)
	}
}

// Caught: an Event that is shared among watchers.
func TestWatchersShareNoMemory(t *testing.T) {
	s := New()
	event := newEvent("a")
	event.Labels = map[string]string{"l": "1"}
	one := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	other := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	mustCreate(t, s, event)
	(<-one.ResultChan()).Object.(*eventsv1.Event).Labels["l"] = "scribble"
	seen := (<-other.ResultChan()).Object.(*eventsv1.Event).Labels["l"]
	if stored := s.Events()[0].Labels["l"]; seen != "1" || stored != "1" {
		t.Errorf("the other watcher sees %q, stored is %q", seen, stored)
	}
}

// Caught: an end that is not told.
func TestWatchTellsWhatExpires(t *testing.T) {
	s, clock := New(), clocktesting.NewFakePassiveClock(moment.Time)
	s.SetClock(clock)
	s.SetTTL(time.Hour)
	w := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	mustCreate(t, s, newEvent("a"))
	mustCreate(t, s, newEvent("b"))
	s.Expire("default", "b")
	clock.SetTime(moment.Add(time.Hour))
	checkTold(t, w, "ADDED a 1", "ADDED b 2", "DELETED b 3")
	s.Events() // the next request, whatever it is
	checkTold(t, w, "DELETED a 4")
}

// Caught: a history that tells what it has of a past that it has not; one change too few.
func TestWatchFromAForgottenVersion(t *testing.T) {
	s := New()
	event := newEvent("a")
	mustCreate(t, s, event)
	for n := range historyLimit {
		mustPatch(t, s, event, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
	}
	s.Expire("default", "a") // version historyLimit + 2
	checkTold(t, mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{ResourceVersion: "1"}),
		"ERROR Expired", "closed")
	w := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{ResourceVersion: "2"})
	lines := strings.Split(told(w), "\n")
	if len(lines) != historyLimit || lines[0] != "MODIFIED a 3" || lines[len(lines)-1] != "DELETED a 1002" {
		t.Errorf("told %d, from %s to %s", len(lines), lines[0], lines[len(lines)-1])
	}
	_, err := s.Watch(Request{Via: eventsGV}, metav1.ListOptions{ResourceVersion: "yesterday"})
	checkStatus(t, err, http.StatusInternalServerError, nil)
}

// Caught: a writer that waits for the reader; an end without its reason.
func TestSlowWatcherIsTold(t *testing.T) {
	s := New()
	event := newEvent("a")
	mustCreate(t, s, event)
	slow := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	for n := range queueLimit + 5 {
		mustPatch(t, s, event, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, n))
	}
	lines := strings.Split(told(slow), "\n")
	if len(lines) != queueLimit+3 || lines[len(lines)-2] != "ERROR Expired" || lines[len(lines)-1] != "closed" {
		t.Errorf("told %d, the last %q", len(lines), lines[len(lines)-2:])
	}
	if len(s.watchers) != 0 {
		t.Error("the store still tells it")
	}
	slow.Stop()
}

func TestStoppedWatcher(t *testing.T) {
	s := New()
	w := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
	mustCreate(t, s, newEvent("a"))
	w.Stop()
	w.Stop()
	mustCreate(t, s, newEvent("b"))
	checkTold(t, w, "ADDED a 1", "closed")
}

// Each watcher sees the versions grow, whatever is stopped meanwhile. Caught: telling without the lock.
func TestWatchConcurrentSafe(t *testing.T) {
	s := New()
	var writers, readers sync.WaitGroup
	var watches []watch.Interface
	for range 4 {
		w := mustWatch(t, s, Request{Via: eventsGV}, metav1.ListOptions{})
		watches = append(watches, w)
		readers.Go(func() { checkGrowing(t, w) })
	}
	for n := range 4 {
		writers.Go(func() {
			event := newEvent(fmt.Sprintf("web.%d", n))
			if _, err := create(s, event); err != nil {
				t.Error(err)
			}
			for i := range 20 {
				if _, err := patch(s, event, fmt.Sprintf(`{"metadata":{"labels":{"n":"%d"}}}`, i)); err != nil {
					t.Error(err)
				}
			}
			watches[n].Stop()
			s.Expire("default", event.Name)
		})
	}
	writers.Wait()
	readers.Wait()
}

func checkGrowing(t *testing.T, w watch.Interface) {
	var last int64
	for event := range w.ResultChan() {
		object, err := meta.Accessor(event.Object)
		if err != nil {
			t.Error(err)
			return
		}
		version, err := parseVersion(object.GetResourceVersion())
		if err != nil || version <= last {
			t.Errorf("version %s after %d: %v", object.GetResourceVersion(), last, err)
		}
		last = version
	}
}
