// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

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
	lost := watch.NewFake()
	c.PrependWatchReactor("events", clienttesting.DefaultWatchReactor(lost, nil))
	if _, err := c.EventsV1().Events("default").Watch(t.Context(), metav1.ListOptions{}); err == nil || !lost.IsStopped() {
		t.Errorf("a watch whose answer is lost = %v, stopped: %v", err, lost.IsStopped())
	}
	c.Lose(nil)
	mustPatch(t, sink, newEvent("web.1"), secondOccurrence)
}

// What is not served, or not allowed, is refused, whatever it is.
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

func TestReactorsComeFirst(t *testing.T) {
	c := NewClientset()
	c.PrependReactor("patch", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errScripted
	})
	for i, err := range allVerbs(t.Context(), c) {
		if failed := errors.Is(err, errScripted); failed != (i == 2 || i == 9) {
			t.Errorf("request %d = %v", i, err)
		}
	}
}
