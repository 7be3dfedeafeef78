// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// viaEventsV1 writes through events.k8s.io/v1 as client-go's sink does.
func viaEventsV1(c *Clientset) recorder { return &clientevents.EventSinkImpl{Interface: c.EventsV1()} }

func TestClientsetHasOneStorageForBothGroups(t *testing.T) {
	c := NewClientset()
	events, core := c.EventsV1().Events("default"), c.CoreV1().Events("default")
	created := mustCreate(t, viaEventsV1(c), newEvent("web.1"))

	read, err := core.Get(t.Context(), "web.1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(created, eventconv.FromCore(read)); diff != "" {
		t.Errorf("read through core/v1 (-created +read):\n%s", diff)
	}
	if _, err := core.PatchWithEventNamespaceWithContext(t.Context(), read, []byte(secondOccurrence)); err != nil {
		t.Fatal(err)
	}
	read.Name, read.ResourceVersion, read.Message = "web.2", "", "through core/v1"
	if _, err := core.CreateWithEventNamespaceWithContext(t.Context(), read); err != nil {
		t.Fatal(err)
	}
	list, err := events.List(t.Context(), metav1.ListOptions{})
	if err != nil || list.ResourceVersion != "3" {
		t.Fatalf("List = version %q, %v; want 3", list.ResourceVersion, err)
	}
	if diff := cmp.Diff(c.Events(), list.Items); diff != "" {
		t.Errorf("listed (-Events() +List()):\n%s", diff)
	}
	if list.Items[0].Series.Count != 2 || list.Items[1].Note != "through core/v1" {
		t.Errorf("listed %v, want both writes through core/v1", list.Items)
	}
	want := Writes{EventsV1: Counts{Creates: 1}, CoreV1: Counts{Creates: 1, Patches: 1}}
	if got := c.Writes(); got != want {
		t.Errorf("Writes() = %+v, want %+v", got, want)
	}
}

func TestClientsetAppliesTheRulesOfTheGroup(t *testing.T) {
	c := NewClientset()
	odd := newEvent("Bad_Name")
	odd.Type = "Odd"
	if _, err := viaEventsV1(c).Create(t.Context(), odd); !apierrors.IsInvalid(err) {
		t.Errorf("Create through events.k8s.io/v1 = %v, want Invalid", err)
	}
	core := c.CoreV1().Events("default")
	if _, err := core.Create(t.Context(), eventconv.ToCore(odd), metav1.CreateOptions{}); err != nil {
		t.Errorf("Create through core/v1 = %v", err)
	}
	mustPatch(t, viaEventsV1(c), odd, secondOccurrence)
	if _, err := viaEventsV1(c).Patch(t.Context(), odd, []byte(`{"note":"other"}`)); !apierrors.IsInvalid(err) {
		t.Errorf("another note through events.k8s.io/v1 = %v, want Invalid", err)
	}
	if _, err := core.Patch(t.Context(), odd.Name, types.StrategicMergePatchType, []byte(`{"message":"other"}`),
		metav1.PatchOptions{}); err != nil {
		t.Errorf("another message through core/v1 = %v", err)
	}
}

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

func TestClientsetExpires(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(moment.Time)
	c := NewClientset()
	c.SetClock(clock)
	c.SetTTL(time.Hour)
	mustCreate(t, viaEventsV1(c), newEvent("web.1"))
	mustCreate(t, viaEventsV1(c), newEvent("web.2"))
	if !c.Expire("default", "web.1") || len(c.Events()) != 1 {
		t.Errorf("Events() = %v, want only web.2", c.Events())
	}
	clock.SetTime(moment.Add(time.Hour))
	_, err := c.CoreV1().Events("default").Get(t.Context(), "web.2", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("Get after the time to live = %v, want NotFound", err)
	}
}

func TestDiscardActions(t *testing.T) {
	c := NewClientset()
	mustCreate(t, viaEventsV1(c), newEvent("web.1"))
	if n := len(c.Actions()); n != 1 {
		t.Errorf("%d actions, want the create", n)
	}
	c.DiscardActions()
	mustPatch(t, viaEventsV1(c), newEvent("web.1"), secondOccurrence)
	if _, err := c.CoreV1().Events("").List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Error(err)
	}
	if actions := c.Actions(); len(actions) != 0 {
		t.Errorf("actions %v kept", actions)
	}
	if want := (Writes{EventsV1: Counts{Creates: 1, Patches: 1}}); c.Writes() != want || len(c.Events()) != 1 {
		t.Errorf("Writes() = %+v, want %+v", c.Writes(), want)
	}
}

func TestClientsetConcurrentSafe(t *testing.T) {
	const writers, patches = 8, 50
	for name, prepare := range map[string]func(*Clientset){
		"through client-go's Fake": func(*Clientset) {},
		"past it":                  (*Clientset).DiscardActions,
	} {
		t.Run(name, func(t *testing.T) {
			c := NewClientset()
			prepare(c)
			var group sync.WaitGroup
			for w := range writers {
				group.Go(func() { hammer(t, c, fmt.Sprintf("web.%d", w), patches) })
			}
			group.Wait()
			want := Counts{Creates: writers, Patches: writers * patches}
			if got := c.Writes(); got != (Writes{EventsV1: want}) {
				t.Errorf("Writes() = %+v, want %+v", got, want)
			}
			for _, event := range c.Events() {
				if event.Series.Count != patches+1 {
					t.Errorf("%s ends at %d, want %d", event.Name, event.Series.Count, patches+1)
				}
			}
		})
	}
}

func hammer(t *testing.T, c *Clientset, name string, patches int) {
	sink, event := viaEventsV1(c), newEvent(name)
	if _, err := sink.Create(t.Context(), event); err != nil {
		t.Error(err)
	}
	for n := range patches {
		if _, err := sink.Patch(t.Context(), event, seriesPatch(n+2)); err != nil {
			t.Error(err)
		}
		c.ServeEventsV1(true)
		c.Fail(nil)
		c.SetTTL(0)
		_ = c.Events()
	}
}

func BenchmarkClientsetPatch(b *testing.B) {
	c := NewClientset()
	c.DiscardActions()
	sink, event := viaEventsV1(c), newEvent("web.1")
	if _, err := sink.Create(b.Context(), event); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for n := 2; b.Loop(); n++ {
		if _, err := sink.Patch(b.Context(), event, seriesPatch(n)); err != nil {
			b.Fatal(err)
		}
	}
}
