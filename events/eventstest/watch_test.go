// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// Informers of both groups see what is written through both.
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

// A name that has no path is an error of the client, and not sent; nor is a selector that is none, which makes client-go's fake panic.
func TestRequestsThatCannotBeMade(t *testing.T) {
	c := NewClientset()
	events := c.EventsV1().Events("default")
	for _, name := range []string{"", "a/b"} {
		_, errGet := events.Get(t.Context(), name, metav1.GetOptions{})
		_, errUpdate := events.Update(t.Context(), newEvent(name), metav1.UpdateOptions{})
		if errGet == nil || errUpdate == nil || apierrors.ReasonForError(errGet) != "" {
			t.Errorf("name %q: get %v, update %v; want errors that are no answers", name, errGet, errUpdate)
		}
	}
	odd := metav1.ListOptions{FieldSelector: "reason"}
	_, errWatch := events.Watch(t.Context(), odd)
	checkStatus(t, errWatch, http.StatusBadRequest, apierrors.IsBadRequest)
	checkStatus(t, events.DeleteCollection(t.Context(), metav1.DeleteOptions{}, odd), http.StatusBadRequest, apierrors.IsBadRequest)
	if actions := c.Actions(); len(actions) != 0 {
		t.Errorf("sent %v", actions)
	}
}
