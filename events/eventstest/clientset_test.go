// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientdiscovery "k8s.io/client-go/discovery"
	fakediscovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/kubernetes"
	clienttesting "k8s.io/client-go/testing"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// viaEventsV1 writes through events.k8s.io/v1 as client-go's sink does.
func viaEventsV1(c *Clientset) recorder { return &clientevents.EventSinkImpl{Interface: c.EventsV1()} }

func TestClientsetHoldsWhatItIsGiven(t *testing.T) {
	invalid := newEvent("Bad_Name")
	invalid.Type = "Odd"
	list := &eventsv1.EventList{Items: []eventsv1.Event{*newEvent("web.2")}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	c := NewClientset(invalid, pod, eventconv.ToCore(newEvent("web.1")), list)
	if got := c.Events(); len(got) != 3 || got[0].Type != "Odd" || got[0].UID == "" || got[2].Name != "web.2" {
		t.Errorf("Events() = %v, want the three given", got)
	}
	if _, err := c.CoreV1().Pods("default").Get(t.Context(), "web", metav1.GetOptions{}); err != nil {
		t.Errorf("the pod: %v", err)
	}
}

// All methods that write or change settings may run at the same time. In the end each Event has its
// last count.
func TestWritesConcurrentSafe(t *testing.T) {
	const writers, patches = 8, 50
	c, sink := NewClientset(), NewSink()
	for name, one := range map[string]struct {
		recorder
		settings func()
		stored   func() []eventsv1.Event
		counts   func() Counts
	}{
		"a clientset": {viaEventsV1(c), func() {
			c.ServeEventsV1(true)
			c.Fail(nil)
			c.SetTTL(0)
			_, _ = c.Writes(), c.Written()
		}, c.Events, func() Counts { return c.Writes().EventsV1 }},
		"a sink": {sink, func() {
			sink.FailNext(0, errScripted)
			sink.Hold()
			sink.Release()
			_ = sink.Log()
		}, sink.Events, sink.Counts},
	} {
		t.Run(name, func(t *testing.T) {
			var group sync.WaitGroup
			for w := range writers {
				group.Go(func() {
					event := newEvent(fmt.Sprintf("web.%d", w))
					if _, err := one.Create(t.Context(), event); err != nil {
						t.Error(err)
					}
					for n := range patches {
						patch := fmt.Appendf(nil, `{"series":{"count":%d,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`, n+2)
						if _, err := one.Patch(t.Context(), event, patch); err != nil {
							t.Error(err)
						}
						one.settings()
						_ = one.stored()
					}
				})
			}
			group.Wait()
			if got := one.counts(); got != (Counts{Creates: writers, Patches: writers * patches}) {
				t.Errorf("%+v requests", got)
			}
			versions := map[string]bool{}
			for _, event := range one.stored() {
				if versions[event.ResourceVersion] = true; event.Series.Count != patches+1 {
					t.Errorf("%s ends at %d, want %d", event.Name, event.Series.Count, patches+1)
				}
			}
			if len(versions) != writers {
				t.Errorf("%d resource versions for %d events", len(versions), writers)
			}
		})
	}
}

func enabled(c *Clientset) (bool, error) {
	return clientdiscovery.IsResourceEnabled(c.Discovery(), eventsv1.SchemeGroupVersion.WithResource("events"))
}

func TestDiscovery(t *testing.T) {
	c := NewClientset(newEvent("web.1"))
	if served, err := enabled(c); !served || err != nil {
		t.Errorf("by default: %v, %v; want served", served, err)
	}
	unavailable := apierrors.NewServiceUnavailable("starting")
	c.FailDiscovery(unavailable)
	if _, err := enabled(c); !errors.Is(err, unavailable) {
		t.Errorf("failing: %v, want the given error", err)
	}
	mustPatch(t, viaEventsV1(c), newEvent("web.1"), secondOccurrence)
	c.FailDiscovery(nil)
	c.ServeEventsV1(false)
	if served, err := enabled(c); served || err != nil {
		t.Errorf("not served: %v, %v; want a plain no", served, err)
	}
	c.ServeEventsV1(true)
	if list, err := c.Discovery().ServerResourcesForGroupVersion("v1"); err != nil || len(list.APIResources) == 0 {
		t.Errorf("core/v1: %v, %v; want it served", list, err)
	}
	if served, err := enabled(c); !served || err != nil {
		t.Errorf("again: %v, %v; want served", served, err)
	}
}

func TestDiscoveryIsClientGos(t *testing.T) {
	c := NewClientset()
	var d any = c.Discovery() // its static type is another one since client-go 0.37
	if _, ok := d.(*fakediscovery.FakeDiscovery); !ok {
		t.Errorf("Discovery() is a %T, want client-go's, whose fields tests set", d)
	}
	if groups, err := c.Discovery().ServerGroups(); err != nil || len(groups.Groups) != 2 {
		t.Errorf("ServerGroups() = %v, %v; want core and events.k8s.io", groups, err)
	}
}

func review(ctx context.Context, c kubernetes.Interface, verb, namespace string) (bool, error) {
	asked, err := c.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: verb, Group: "events.k8s.io", Resource: "events", Namespace: namespace,
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return false, err
	}
	return asked.Status.Allowed, nil
}

func TestReviewsFail(t *testing.T) {
	c := NewClientset()
	var seen Request
	c.Fail(func(_ context.Context, r Request) error {
		seen = r
		return errScripted
	})
	if _, err := review(t.Context(), c, "create", "a"); !errors.Is(err, errScripted) {
		t.Errorf("review = %v, want the scripted error", err)
	}
	want := Request{Verb: "create", Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}
	if seen != want {
		t.Errorf("asked about %+v, want %+v", seen, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := review(ctx, c, "create", "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("review with an ended context = %v", err)
	}
}

func TestReactorsHaveTheLastWordAboutReviews(t *testing.T) {
	c := NewClientset()
	c.PrependReactor("create", "selfsubjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &authorizationv1.SelfSubjectAccessReview{}, nil
	})
	if allowed, err := review(t.Context(), c, "create", "a"); allowed || err != nil {
		t.Errorf("allowed: %v, %v; want the reactor's no", allowed, err)
	}
}

func TestEmbeddedFakeAllowsReviews(t *testing.T) {
	if allowed, err := review(t.Context(), NewClientset().Clientset, "create", "a"); !allowed || err != nil {
		t.Errorf("allowed: %v, %v; want yes", allowed, err)
	}
}

// Written includes the writes that were refused, never answered or duplicates. It does not include
// reads.
func TestWritten(t *testing.T) {
	c := NewClientset()
	if got := c.Written(); len(got) > 0 {
		t.Errorf("written at first: %v", got)
	}
	c.Authorize(func(r Request) bool { return r.Namespace != "bank" })
	for _, namespace := range []string{"shop", "bank", "shop"} {
		_, _ = viaEventsV1(c).Create(t.Context(), in(namespace, newEvent("web.1"))) // one is refused, one a duplicate
	}
	_, _ = c.CoreV1().Events("shop").Patch(t.Context(), "web.1", types.StrategicMergePatchType, []byte(`{"count":2}`),
		metav1.PatchOptions{})
	_, _ = c.EventsV1().Events("read").Get(t.Context(), "web.1", metav1.GetOptions{})
	_, _ = c.EventsV1().Events("").List(t.Context(), metav1.ListOptions{})
	want := []Access{{"events.k8s.io", "bank"}, {"", "shop"}, {"events.k8s.io", "shop"}}
	if diff := cmp.Diff(want, c.Written()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
