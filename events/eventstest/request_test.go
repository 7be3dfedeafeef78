// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"strings"
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
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// allVerbs sends one request of each kind about web.1 through both groups, and returns the errors.
func allVerbs(ctx context.Context, c *Clientset) []error {
	events, core := c.EventsV1().Events("default"), c.CoreV1().Events("default")
	patch, event := []byte(secondOccurrence), newEvent("web.1")
	var errs [16]error
	_, errs[0] = events.Create(ctx, event, metav1.CreateOptions{})
	_, errs[1] = events.Update(ctx, event, metav1.UpdateOptions{})
	_, errs[2] = events.Patch(ctx, "web.1", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	_, errs[3] = events.Get(ctx, "web.1", metav1.GetOptions{})
	_, errs[4] = events.List(ctx, metav1.ListOptions{})
	errs[5] = events.Delete(ctx, "web.1", metav1.DeleteOptions{})
	errs[6] = events.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	_, errs[7] = core.Create(ctx, eventconv.ToCore(event), metav1.CreateOptions{})
	_, errs[8] = core.Update(ctx, eventconv.ToCore(event), metav1.UpdateOptions{})
	_, errs[9] = core.Patch(ctx, "web.1", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	_, errs[10] = core.Get(ctx, "web.1", metav1.GetOptions{})
	_, errs[11] = core.List(ctx, metav1.ListOptions{})
	errs[12] = core.Delete(ctx, "web.1", metav1.DeleteOptions{})
	errs[13] = core.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
	for i, watched := range []interface {
		Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	}{events, core} {
		var w watch.Interface
		if w, errs[14+i] = watched.Watch(ctx, metav1.ListOptions{}); w != nil {
			w.Stop()
		}
	}
	return errs[:]
}

func TestHooksSeeEveryRequest(t *testing.T) {
	c := NewClientset()
	var seen []Request
	c.Fail(func(_ context.Context, request Request) error {
		if written := request.Verb == "create" || request.Verb == "update"; written != (request.Object != nil) {
			t.Errorf("%s of %v", request.Verb, request.Object)
		}
		request.Object = nil
		seen = append(seen, request)
		return nil
	})
	if err := errors.Join(allVerbs(t.Context(), c)...); err != nil {
		t.Error(err)
	}
	var want []Request
	for _, group := range []string{eventsv1.GroupName, corev1.GroupName} {
		for _, verb := range []string{"create", "update", "patch", "get", "list", "delete", "deletecollection"} {
			request := Request{Verb: verb, Group: group, Resource: "events", Namespace: "default", Name: "web.1"}
			switch verb {
			case "create", "list", "deletecollection":
				request.Name = ""
			}
			want = append(want, request)
		}
	}
	for _, group := range []string{eventsv1.GroupName, corev1.GroupName} {
		want = append(want, Request{Verb: "watch", Group: group, Resource: "events", Namespace: "default"})
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestFailedRequestsHaveNoEffect(t *testing.T) {
	c := NewClientset(newEvent("web.1"))
	c.Fail(func(context.Context, Request) error { return errScripted })
	for i, err := range allVerbs(t.Context(), c) {
		if !errors.Is(err, errScripted) {
			t.Errorf("request %d = %v, want the scripted error", i, err)
		}
	}
	if events := c.Events(); len(events) != 1 || events[0].ResourceVersion != "1" {
		t.Errorf("Events() = %v, want the first as it was", events)
	}
	if want := (Counts{Creates: 1, Patches: 1, Updates: 1}); c.Writes() != (Writes{want, want}) {
		t.Errorf("Writes() = %+v, want each once", c.Writes())
	}
}

func TestLostAnswersHaveTheirEffect(t *testing.T) {
	c := NewClientset()
	c.Lose(func(context.Context, Request) error { return errScripted })
	sink := viaEventsV1(c)
	if _, err := sink.Create(t.Context(), newEvent("web.1")); !errors.Is(err, errScripted) {
		t.Errorf("Create = %v, want the scripted error", err)
	}
	if _, err := sink.Create(t.Context(), newEvent("web.1")); !apierrors.IsAlreadyExists(err) {
		t.Errorf("the retry = %v, want the server's refusal", err)
	}
	if w, err := c.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{}); !errors.Is(err, errScripted) {
		t.Errorf("a watch whose answer is lost = %v, %v", w, err)
	}
	c.Lose(nil)
	mustPatch(t, sink, newEvent("web.1"), secondOccurrence)
}

// A request that is not served or not allowed is refused, whatever its verb is.
func TestRefusedRequests(t *testing.T) {
	c := NewClientset(newEvent("web.1"))
	c.ServeEventsV1(false)
	c.Authorize(func(r Request) bool { return r.Group == eventsv1.GroupName })
	for i, err := range allVerbs(t.Context(), c) {
		if i < 7 || i == 14 {
			checkStatus(t, err, http.StatusNotFound, apierrors.IsNotFound)
		} else {
			checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
		}
	}
}

func TestClientsHonourTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := NewClientset()
	for i, err := range allVerbs(ctx, c) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("request %d = %v, want Canceled", i, err)
		}
	}
	if c.Writes() != (Writes{}) {
		t.Errorf("Writes() = %+v, want none", c.Writes())
	}
}

func TestHooksMayBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewClientset()
		c.Fail(func(context.Context, Request) error { time.Sleep(time.Second); return nil })
		start := time.Now()
		done := make(chan error)
		for _, name := range []string{"web.1", "web.2"} {
			go func() {
				_, err := viaEventsV1(c).Create(t.Context(), newEvent(name))
				done <- err
			}()
		}
		if err := errors.Join(<-done, <-done); err != nil || time.Since(start) != time.Second {
			t.Errorf("two creates = %v after %v, want both after one second", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		if _, err := viaEventsV1(c).Create(ctx, newEvent("web.3")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a create that outlives its deadline = %v", err)
		}
		if n := len(c.Events()); n != 2 {
			t.Errorf("%d events, want two", n)
		}
	})
}

// A request for Events through the embedded clientset is refused, and not stored elsewhere.
func TestEmbeddedFakeRefusesEvents(t *testing.T) {
	c := NewClientset()
	embedded := c.Clientset.EventsV1().Events("default")
	_, created := embedded.Create(t.Context(), newEvent("web.1"), metav1.CreateOptions{})
	_, watched := embedded.Watch(t.Context(), metav1.ListOptions{})
	for _, err := range []error{created, watched} {
		if err == nil || !strings.Contains(err.Error(), "use Fail and Lose") {
			t.Errorf("%v, want the remedy", err)
		}
	}
}

func TestExpansionsGoToTheEventsNamespace(t *testing.T) {
	c := NewClientset()
	everywhere := c.CoreV1().Events("")
	event := eventconv.ToCore(in("a", newEvent("web.1")))
	if _, err := everywhere.CreateWithEventNamespace(event); err != nil {
		t.Errorf("create = %v", err)
	}
	event.Message = "other"
	if _, err := everywhere.UpdateWithEventNamespace(event); err != nil {
		t.Errorf("update = %v", err)
	}
	patch := []byte(secondOccurrence)
	if _, err := everywhere.PatchWithEventNamespace(event, patch); err != nil {
		t.Errorf("patch = %v", err)
	}
	if want := (Counts{Creates: 1, Patches: 1, Updates: 1}); c.Writes().CoreV1 != want {
		t.Errorf("Writes() = %+v, want each once", c.Writes())
	}
	if stored := c.Events(); stored[0].Namespace != "a" || stored[0].Note != "other" || stored[0].Series.Count != 2 {
		t.Errorf("stored %v, want all three writes", stored)
	}
}

// heard notes the calls of the handler of an informer.
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

// write makes changes that an informer gets.
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

// The informers of both groups get the writes through both groups.
func TestInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewClientset(newEvent("web.1"))
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
