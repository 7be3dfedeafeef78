// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// history is a server with a list of changes of a few Events. The change with index i has the
// resourceVersion i+1.
type history struct {
	changes []watch.Event
	// compacted is the number of changes that the server has forgotten.
	compacted int
	// silent means that a watch from a forgotten version ends as if nothing had happened.
	silent bool
	// expire has, for each list, the number of pages after which its token expires.
	expire []int
	// cut is the number of changes after which a watch ends. 0 means never.
	cut int
	// failures has, for each verb, the status of the next requests. 200 means that the request
	// succeeds.
	failures map[string][]int
	// listed is the number of changes that a list contains. 0 means all.
	listed   int
	requests []string
}

// write adds a change of the Event with that name.
func (h *history) write(typ watch.EventType, name string, count int32) {
	e := &eventsv1.Event{EventTime: micro(1)}
	e.Namespace, e.Name, e.ResourceVersion = "default", name, strconv.Itoa(len(h.changes)+1)
	e.Series = &eventsv1.EventSeries{Count: count, LastObservedTime: micro(2)}
	h.changes = append(h.changes, watch.Event{Type: typ, Object: e})
}

func (h *history) fails(verb string) error {
	codes := h.failures[verb]
	if len(codes) == 0 {
		return nil
	}
	h.failures[verb] = codes[1:]
	switch codes[0] {
	case 200:
		return nil
	case 403:
		return apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "", nil)
	case 410:
		return apierrors.NewResourceExpired("too old resource version")
	case 400:
		return apierrors.NewBadRequest("invalid resource version")
	case 504:
		return refuse(504)
	}
	return errors.New("connection refused")
}

// List returns the newest state of each Event, in pages of two.
func (h *history) List(_ context.Context, opts metav1.ListOptions) (*eventsv1.EventList, error) {
	h.requests = append(h.requests, fmt.Sprintf("list limit=%d %s%s", opts.Limit, opts.FieldSelector, opts.Continue))
	if err := h.fails("list"); err != nil {
		return nil, err
	}
	version, skip := cmp.Or(h.listed, len(h.changes)), 0
	if opts.Continue != "" {
		if _, err := fmt.Sscanf(opts.Continue, "%d+%d", &version, &skip); err != nil {
			return nil, err
		}
		if len(h.expire) > 0 && skip/2 == h.expire[0] {
			h.expire = h.expire[1:]
			err := apierrors.NewResourceExpired("the continue parameter is too old")
			err.ErrStatus.Continue = fmt.Sprintf("%d+%d", len(h.changes), skip)
			return nil, err
		}
	}
	var items []eventsv1.Event
	for i, change := range h.changes[:version] {
		newest := change.Type != watch.Deleted
		for _, later := range h.changes[i+1 : version] {
			newest = newest && later.Object.(*eventsv1.Event).Name != change.Object.(*eventsv1.Event).Name
		}
		if newest {
			items = append(items, *change.Object.(*eventsv1.Event))
		}
	}
	slices.SortFunc(items, func(a, b eventsv1.Event) int { return cmp.Compare(a.Name, b.Name) })
	list := &eventsv1.EventList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(version)}}
	if list.Items = items[skip:]; len(list.Items) > 2 {
		list.Items, list.Continue = list.Items[:2], fmt.Sprintf("%d+%d", version, skip+2)
	}
	return list, nil
}

// Watch sends all changes after a version. There are no later ones, because a test makes all
// changes before.
func (h *history) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	h.requests = append(h.requests, "watch "+opts.FieldSelector+opts.ResourceVersion)
	if err := h.fails("watch"); err != nil {
		return nil, err
	}
	from, err := strconv.Atoi(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	w := watch.NewFakeWithOptions(watch.FakeOptions{ChannelSize: len(h.changes) + 1})
	if from < h.compacted && h.silent {
		w.Stop()
		return w, nil
	}
	if from < h.compacted {
		gone := apierrors.NewResourceExpired("too old").Status()
		w.Error(&gone)
		return w, nil
	}
	for i, change := range h.changes[min(from, len(h.changes)):] { // from a later version it is silent
		if i == h.cut-1 {
			break
		}
		w.Action(change.Type, change.Object)
	}
	if h.cut > 0 {
		w.Stop()
	}
	return w, nil
}

// told returns the changes that a loop over Watch sees until it has been quiet for ten minutes, or
// the first most of them.
func told(t *testing.T, h *history, tracker *eventview.Tracker, most int) (changes []string) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for change, err := range eventview.Watch(ctx, h, metav1.ListOptions{FieldSelector: "a=b "}, tracker) {
		changes = append(changes, line(&change, err))
		if len(changes) == most {
			break
		}
	}
	return changes
}

// line returns one line of text about a change or an error.
func line(change *eventview.Change, err error) string {
	if err != nil {
		return err.Error()
	}
	d := change.Delta
	return fmt.Sprintf("%s x%d +%d +%d %v", change.Name, change.Count, d.Earlier, d.New, change.Deleted)
}

func TestWatch(t *testing.T) {
	for name, test := range map[string]struct {
		history  history
		changes  []string
		requests []string
	}{
		"pages, and then changes": {
			changes:  []string{"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false"},
			requests: []string{"list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3"},
		},
		"failures are told and tried again": {
			history: history{failures: map[string][]int{"list": {403, 0}, "watch": {500}}},
			changes: []string{
				"eventview: cannot list Events: events is forbidden: <nil>", "eventview: cannot list Events: connection refused",
				"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false", "eventview: cannot watch Events: connection refused",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b ", "list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
				"list limit=1 ", "watch a=b 3",
			},
		},
		"a page fails, and the list goes on there": {
			history: history{failures: map[string][]int{"list": {200, 500}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "eventview: cannot list Events: connection refused", "c x9 +9 +0 false",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "list limit=1 ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
		"the token of a page has expired, and the answer carries another one": {
			history:  history{expire: []int{1}},
			changes:  []string{"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false"},
			requests: []string{"list limit=500 a=b ", "list limit=500 a=b 3+2", "list limit=500 a=b 3+2", "watch a=b 3"},
		},
		"the token of a page has expired, and the answer carries none": {
			history: history{failures: map[string][]int{"list": {200, 410}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "eventview: cannot list Events: too old resource version",
				"a x1 +0 +0 false", "b x2 +0 +0 false", "c x9 +9 +0 false",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
		"a token that the server takes for a bad one": {
			history: history{failures: map[string][]int{"list": {200, 400}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "eventview: cannot list Events: invalid resource version",
				"a x1 +0 +0 false", "b x2 +0 +0 false", "c x9 +9 +0 false",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
		"a token of a state that the server does not have any more": {
			history: history{failures: map[string][]int{"list": {200, 504}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "eventview: cannot list Events: Timeout: Too large resource version",
				"a x1 +0 +0 false", "b x2 +0 +0 false", "c x9 +9 +0 false",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
		"a version that the server takes for a bad one": {
			history: history{failures: map[string][]int{"watch": {400}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false", "eventview: cannot watch Events: invalid resource version",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
		"the version of a list has expired": {
			history: history{failures: map[string][]int{"list": {}, "watch": {410}}},
			changes: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false",
			},
			requests: []string{
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
				"list limit=500 a=b ", "list limit=500 a=b 3+2", "watch a=b 3",
			},
		},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			h := test.history
			h.write(watch.Added, "a", 1)
			h.write(watch.Added, "b", 2)
			h.write(watch.Added, "c", 9)
			if diff := gocmp.Diff(test.changes, told(t, &h, eventview.NewTracker(at(60), 0), 0)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(test.requests, h.requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// A loop sees each change once, even if the reader restarts from a checkpoint, a watch breaks, or
// the server has forgotten a version.
func TestWatchResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{}
		tracker := eventview.NewTracker(at(0), 0)
		h.write(watch.Added, "a", 1)
		told(t, h, tracker, 0)

		h.write(watch.Modified, "a", 3)
		h.write(watch.Added, "b", 4)
		got := told(t, h, restored(t, tracker), 1)
		got = append(got, told(t, h, tracker, 1)...)
		tracker = restored(t, tracker)

		h.cut = 2
		h.write(watch.Deleted, "a", 3)
		h.write(watch.Added, "a", 5) // expired, and made again
		got = append(got, told(t, h, tracker, 0)...)

		h.compacted = 100
		h.write(watch.Modified, "b", 6)
		got = append(got, told(t, h, restored(t, tracker), 2)...)
		want := []string{
			"a x3 +0 +2 false",
			"a x3 +0 +2 false",
			"b x4 +0 +4 false", "a x3 +0 +0 true", "a x5 +0 +2 false",
			"a x5 +0 +0 false", "b x6 +0 +2 false",
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// A server may take the version of a checkpoint for invalid, and Kubernetes 1.38 then answers with a
// 400. The reader lists again without an error. If the server refuses the version of that list,
// too, the reason is another one, and the reader yields each refusal.
func TestWatchIsRefused(t *testing.T) {
	const refused = "eventview: cannot watch Events: invalid resource version"
	for name, test := range map[string]struct {
		refusals int
		want     []string
	}{
		"once":        {1, []string{"a x3 +0 +2 false"}},
		"twice":       {2, []string{"a x3 +0 +2 false", refused}},
		"three times": {3, []string{"a x3 +0 +2 false", refused, refused}},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			h := &history{}
			tracker := eventview.NewTracker(at(0), 0)
			h.write(watch.Added, "a", 1)
			told(t, h, tracker, 0)
			h.write(watch.Modified, "a", 3)
			h.failures = map[string][]int{"watch": slices.Repeat([]int{400}, test.refusals)}
			got := slices.DeleteFunc(told(t, h, restored(t, tracker), 0), func(change string) bool {
				return change == "a x3 +0 +0 false" // the next lists
			})
			if diff := gocmp.Diff(test.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s\n%q", diff, h.requests)
			}
		})
	}
}

// The pauses between requests grow if a proxy ends each watch at once, and if a server fails for
// ten minutes.
func TestWatchPauses(t *testing.T) {
	for name, h := range map[string]*history{
		"ended at once": {cut: 1},
		"failing":       {failures: map[string][]int{"watch": make([]int, 1000)}},
		"refusing":      {failures: map[string][]int{"watch": slices.Repeat([]int{400}, 1000)}},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			h.write(watch.Added, "a", 1)
			told(t, h, nil, 0)
			if n := len(h.requests); n < 15 || n > 60 {
				t.Errorf("%d requests in ten minutes", n)
			}
		})
	}
}

// Without a tracker, changes have no deltas. An object that is not an Event is an error, and the
// loop continues.
func TestWatchWithoutTracker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{}
		h.write(watch.Added, "a", 7)
		h.changes = append(h.changes, watch.Event{Type: watch.Added, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "2"}}})
		h.write(watch.Added, "b", 8)
		h.listed = 1
		want := []string{"a x7 +0 +0 false", "eventview: *v1.Pod is no Event", "b x8 +0 +0 false"}
		if diff := gocmp.Diff(want, told(t, h, nil, 0)); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// A server that has forgotten the version of a watch may end each watch without an error. The
// reader then lists again, even if it has restarted from a checkpoint.
func TestWatchThatEndsSilently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{silent: true}
		tracker := eventview.NewTracker(at(0), 0)
		h.write(watch.Added, "a", 1)
		told(t, h, tracker, 0)
		for range 3 {
			h.write(watch.Modified, "a", int32(len(h.changes)+1))
		}
		h.compacted = len(h.changes)
		want := []string{"a x4 +0 +3 false"}
		if diff := gocmp.Diff(want, told(t, h, restored(t, tracker), 0)); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		if n := len(h.requests); n > 10 {
			t.Errorf("%d requests: %q", n, h.requests)
		}
	})
}

// A server that was restored to an older state, or another server at the same address, has not
// reached the version of a checkpoint. The reader then lists its Events.
func TestWatchFromTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		old, now := &history{}, &history{}
		tracker := eventview.NewTracker(at(0), 0)
		for range 12 {
			old.write(watch.Added, "a", 1)
		}
		told(t, old, tracker, 0)
		now.write(watch.Added, "a", 2)
		now.write(watch.Added, "b", 3)
		want := []string{"a x2 +0 +1 false", "b x3 +0 +3 false"}
		if diff := gocmp.Diff(want, told(t, now, restored(t, tracker), 0)); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// Caught: a reader that asked a restored server for the next page of an older list again and again;
// a slow loop that watched from a version that the server had not reached.
func TestWatchOfAServerThatIsRestoredMeanwhile(t *testing.T) {
	for name, test := range map[string]struct {
		at       int // when the loop has been told so many changes, the server is restored
		failures map[string][]int
		want     []string
	}{
		"between two pages": {
			at:       1,
			failures: map[string][]int{"list": {200, 500}},
			want: []string{
				"a x1 +1 +0 false", "b x2 +2 +0 false", "eventview: cannot list Events: connection refused", "d x3 +0 +3 false",
			},
		},
		"after the last page": {
			at:   3,
			want: []string{"a x1 +1 +0 false", "b x2 +2 +0 false", "c x9 +9 +0 false", "d x3 +0 +3 false"},
		},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			h := &history{failures: test.failures}
			h.write(watch.Added, "a", 1)
			h.write(watch.Added, "b", 2)
			h.write(watch.Added, "c", 9)
			tracker := eventview.NewTracker(at(2.5), 0)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			var got []string
			for change, err := range eventview.Watch(ctx, h, metav1.ListOptions{FieldSelector: "a=b "}, tracker) {
				got = append(got, line(&change, err))
				if len(got) == test.at {
					h.changes = nil
					h.write(watch.Added, "d", 3)
					h.changes[0].Object.(*eventsv1.Event).EventTime = micro(9)
					time.Sleep(time.Minute)
				}
			}
			if diff := gocmp.Diff(test.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s\n%q", diff, h.requests)
			}
		})
	}
}

// The deletion of an Event adds no new occurrence, even if the tracker has forgotten the Event or
// has never read it.
func TestWatchOfWhatGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{listed: 1}
		h.write(watch.Added, "a", 1)
		h.write(watch.Deleted, "b", 7)
		want := []string{"a x1 +1 +0 false", "b x7 +7 +0 true"}
		if diff := gocmp.Diff(want, told(t, h, eventview.NewTracker(at(60), 0), 0)); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// A reader that RBAC allows to watch but not to list resumes from its checkpoint.
func TestWatchResumesWithoutListing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{}
		tracker := eventview.NewTracker(at(0), 0)
		h.write(watch.Added, "a", 1)
		told(t, h, tracker, 0)
		h.write(watch.Modified, "a", 3)
		h.failures = map[string][]int{"list": {403}}
		want := []string{"a x3 +0 +2 false"}
		if diff := gocmp.Diff(want, told(t, h, restored(t, tracker), 0)); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
	})
}

// A loop that needs longer for a list than the server keeps its version sees each Event once, and
// then the changes.
func TestWatchInASlowLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &history{}
		for i := range 12 {
			h.write(watch.Added, fmt.Sprint("e-", i), 1)
		}
		h.expire = []int{1, 3, 4}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		calls := map[string]int{}
		for change, err := range eventview.Watch(ctx, h, metav1.ListOptions{}, nil) {
			if err != nil {
				t.Error(err)
				continue
			}
			calls[fmt.Sprintf("%s x%d", change.Name, change.Count)]++
			time.Sleep(time.Minute)
			if change.Name == "e-5" && change.Count == 1 { // meanwhile
				h.write(watch.Modified, "e-1", 2)
				h.compacted = len(h.changes)
			}
		}
		want := map[string]int{"e-1 x2": 1}
		for i := range 12 {
			want[fmt.Sprintf("e-%d x1", i)] = 1
		}
		if diff := gocmp.Diff(want, calls); diff != "" {
			t.Errorf("calls of the loop (-want +got):\n%s\n%q", diff, h.requests)
		}
	})
}
