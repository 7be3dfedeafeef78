// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// heard notes what an informer's handler is told.
type heard []string

func (h *heard) handler() cache.ResourceEventHandler {
	note := func(what string) func(any) {
		return func(object any) {
			accessor, err := meta.Accessor(object)
			if err != nil {
				what += " " + err.Error()
			}
			*h = append(*h, what+" "+accessor.GetName())
		}
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc: note("add"), DeleteFunc: note("delete"), UpdateFunc: func(_, now any) { note("update")(now) },
	}
}

// write does what an informer is then told of.
func write(t *testing.T, c *Clientset) {
	t.Helper()
	sink := viaEventsV1(c)
	mustCreate(t, sink, newEvent("web.2"))
	mustPatch(t, sink, newEvent("web.2"), secondOccurrence)
	core := c.CoreV1().Events("default")
	if _, err := core.Create(t.Context(), eventconv.ToCore(newEvent("web.3")), metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	if err := core.Delete(t.Context(), "web.2", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	c.Expire("default", "web.1")
}

// Informers of both groups see what is written through both. Caught: a watch without its initial state; a DELETED that
// is not told; a watch that outlives its context, by goleak.
func TestInformers(t *testing.T) {
	for name, prepare := range map[string]func(*Clientset){
		"through client-go's Fake": func(*Clientset) {},
		"past it":                  (*Clientset).DiscardActions,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := NewClientset(newEvent("web.1"))
				prepare(c)
				factory := informers.NewSharedInformerFactory(c, 0)
				shared := []cache.SharedIndexInformer{
					factory.Events().V1().Events().Informer(), factory.Core().V1().Events().Informer(),
				}
				var told [2]heard
				for i, informer := range shared {
					if _, err := informer.AddEventHandler(told[i].handler()); err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				factory.Start(ctx.Done())
				synctest.Wait()
				write(t, c)
				synctest.Wait()
				want := heard{"add web.1", "add web.2", "update web.2", "add web.3", "delete web.2", "delete web.1"}
				for i, informer := range shared {
					if diff := cmp.Diff(want, told[i]); diff != "" {
						t.Errorf("%T (-want +got):\n%s", informer, diff)
					}
				}
				cancel()
				factory.Shutdown()
			})
		})
	}
}

// An informer whose watch asks for the initial state itself, which client-go's fakes do not answer. Caught: a watch
// without the bookmark, for which the informer waits.
func TestInformerThatListsByWatching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewClientset(newEvent("web.1"))
		events := c.EventsV1().Events("default")
		var lists int
		_, controller := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: &cache.ListWatch{
				ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
					lists++
					return events.List(ctx, options)
				},
				WatchFuncWithContext: events.Watch,
			},
			ObjectType: &eventsv1.Event{},
			Handler:    cache.ResourceEventHandlerFuncs{},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { controller.RunWithContext(ctx); close(done) }()
		synctest.Wait()
		if !controller.HasSynced() || lists != 0 {
			t.Errorf("synced: %v, after %d lists; want it without one", controller.HasSynced(), lists)
		}
		cancel()
		<-done
	})
}

// Caught: a watch that nothing but Stop ends; a second end that panics.
func TestWatchEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewClientset()
		ctx, cancel := context.WithCancel(t.Context())
		w, err := c.EventsV1().Events("").Watch(ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		synctest.Wait()
		mustCreate(t, viaEventsV1(c), newEvent("web.1"))
		if event, open := <-w.ResultChan(); open {
			t.Errorf("told %v after its context ended", event)
		}
		w.Stop()
		_, err = c.EventsV1().Events("").Watch(ctx, metav1.ListOptions{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a watch with an ended context = %v", err)
		}
	})
}

// Caught: the store's watch before a reactor; one that the Fake does not note.
func TestWatchReactorsComeFirst(t *testing.T) {
	c := NewClientset(newEvent("web.1"))
	mine := watch.NewFake()
	c.PrependWatchReactor("events", func(action clienttesting.Action) (bool, watch.Interface, error) {
		return action.GetNamespace() == "mine", mine, nil
	})
	for _, namespace := range []string{"mine", "default"} {
		w, err := c.CoreV1().Events(namespace).Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.ResultChan() == mine.ResultChan(); got != (namespace == "mine") {
			t.Errorf("namespace %s is watched by the reactor: %v", namespace, got)
		}
		w.Stop()
	}
	if got := len(c.Actions()); got != 2 || !c.Actions()[0].Matches("watch", "events") {
		t.Errorf("actions %v, want two watches", c.Actions())
	}
}

// Caught: a hook that is not asked about a watch; a watch that is left open when its answer is lost.
func TestHooksSeeWatches(t *testing.T) {
	c := NewClientset()
	var seen []Request
	c.Fail(func(_ context.Context, request Request) error { seen = append(seen, request); return nil })
	c.Lose(func(context.Context, Request) error { return errScripted })
	_, err := c.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{})
	if want := []Request{{Verb: "watch", Group: "events.k8s.io", Resource: "events", Namespace: "default"}}; !slices.Equal(
		seen, want) || !errors.Is(err, errScripted) {
		t.Errorf("asked about %v, answered %v; want %v and the scripted error", seen, err, want)
	}
	lost := watch.NewFake()
	c.PrependWatchReactor("events", clienttesting.DefaultWatchReactor(lost, nil))
	if _, err := c.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{}); err == nil || !lost.IsStopped() {
		t.Errorf("a watch whose answer is lost = %v, stopped: %v", err, lost.IsStopped())
	}
	c.Lose(nil)
	c.Authorize(func(r Request) bool { return r.Verb != "watch" })
	_, err = c.CoreV1().Events("default").Watch(t.Context(), metav1.ListOptions{})
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
	c.Authorize(nil)
	c.ServeEventsV1(false)
	_, err = c.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{})
	checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
}

// Caught: a selector that makes client-go's fake panic; a name that has no path and is sent.
func TestRequestsThatCannotBeMade(t *testing.T) {
	c := NewClientset()
	events := c.EventsV1().Events("default")
	odd := metav1.ListOptions{FieldSelector: "reason"}
	_, errList := events.List(t.Context(), odd)
	_, errWatch := events.Watch(t.Context(), odd)
	errDelete := events.DeleteCollection(t.Context(), metav1.DeleteOptions{}, odd)
	for _, err := range []error{errList, errWatch, errDelete} {
		checkStatus(t, err, http.StatusBadRequest, apierrors.IsBadRequest)
	}
	for _, name := range []string{"", "a/b"} {
		_, errGet := events.Get(t.Context(), name, metav1.GetOptions{})
		_, errUpdate := events.Update(t.Context(), newEvent(name), metav1.UpdateOptions{})
		if errGet == nil || errUpdate == nil || apierrors.ReasonForError(errGet) != "" {
			t.Errorf("name %q: get %v, update %v; want errors that are no answers", name, errGet, errUpdate)
		}
	}
	if actions := c.Actions(); len(actions) != 0 {
		t.Errorf("sent %v", actions)
	}
}

// Caught: a create that passes; a patch that does not; an update of what is there that does not.
func TestTerminatingNamespaceTakesNoNewEvents(t *testing.T) {
	now := metav1.NewTime(time.Now())
	for name, namespace := range map[string]*corev1.Namespace{
		"its phase": {Status: corev1.NamespaceStatus{Phase: corev1.NamespaceTerminating}},
		"its mark":  {ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &now, Finalizers: []string{"a.b/c"}}},
	} {
		t.Run(name, func(t *testing.T) {
			namespace.Name = "default"
			c := NewClientset(namespace, newEvent("web.1"))
			sink := viaEventsV1(c)
			_, err := sink.Create(t.Context(), newEvent("web.2"))
			checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
			if !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
				t.Errorf("%v has no cause", err)
			}
			mustPatch(t, sink, newEvent("web.1"), secondOccurrence)
			core := c.CoreV1().Events("default")
			if _, err := core.Update(t.Context(), eventconv.ToCore(newEvent("web.1")), metav1.UpdateOptions{}); err != nil {
				t.Errorf("an update of what is there = %v", err)
			}
			_, err = core.Update(t.Context(), eventconv.ToCore(newEvent("web.2")), metav1.UpdateOptions{})
			checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
			mustCreate(t, sink, in("elsewhere", newEvent("web.2")))
		})
	}
}

// Every verb that writes knows what a dry run is. Caught, one after the other: each of the five that does not.
func TestClientsetDryRun(t *testing.T) {
	c := NewClientset(newEvent("web.1"))
	all, before := []string{metav1.DryRunAll}, c.Events()
	events, core := c.EventsV1().Events("default"), c.CoreV1().Events("default")
	changed := newEvent("web.1")
	changed.Labels = map[string]string{"l": "1"}
	_, errCreate := events.Create(t.Context(), newEvent("web.2"), metav1.CreateOptions{DryRun: all})
	_, errUpdate := events.Update(t.Context(), changed, metav1.UpdateOptions{DryRun: all})
	_, errPatch := core.Patch(t.Context(), "web.1", "application/merge-patch+json", []byte(`{"message":"other"}`),
		metav1.PatchOptions{DryRun: all})
	errDelete := core.Delete(t.Context(), "web.1", metav1.DeleteOptions{DryRun: all})
	errAll := core.DeleteCollection(t.Context(), metav1.DeleteOptions{DryRun: all}, metav1.ListOptions{})
	if err := errors.Join(errCreate, errUpdate, errPatch, errDelete, errAll); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, c.Events()); diff != "" {
		t.Errorf("stored (-before +after):\n%s", diff)
	}
}
