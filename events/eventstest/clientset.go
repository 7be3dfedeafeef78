// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/store"
)

var _ kubernetes.Interface = (*Clientset)(nil)

// Clientset is client-go's fake clientset with a kube-apiserver's behaviour for Events: EventsV1().Events and
// CoreV1().Events are two views of one storage that enforces the create and update rules, Discovery says whether
// events.k8s.io/v1 is served, and SelfSubjectAccessReviews are answered. Everything else is client-go's.
//
// Reactors added with PrependReactor come first, as usual. Requests that never get that far (an ended context, a
// refusal by [Clientset.Authorize], [Clientset.Fail] or [Clientset.ServeEventsV1]) are not in Actions. Unlike
// client-go's, the event clients honour their context, also those that watch.
//
// All methods are safe for concurrent use, except, as in client-go, adding reactors. See [NewClientset].
type Clientset struct {
	*fake.Clientset
	store   *store.Store
	written accesses

	mu       sync.RWMutex // guards everything below
	settings settings
	writes   Writes
}

// settings are what a test may change while requests are under way.
type settings struct {
	authorize    func(Request) bool
	fail, lose   Hook
	notServed    bool
	discoveryErr error
	direct       bool // do not go through client-go's Fake
}

// Writes counts the writes of Events that reached a [Clientset], by the API group they came through.
type Writes struct {
	// EventsV1 came through events.k8s.io/v1, CoreV1 through core/v1.
	EventsV1, CoreV1 Counts
}

// NewClientset returns a clientset that holds objects. Events among them, of either group, are stored as they are: the
// rules apply to requests. It panics, as client-go's does, on an object that its scheme does not know. Events never
// expire, events.k8s.io/v1 is served, and every access review says yes.
func NewClientset(objects ...runtime.Object) *Clientset {
	c := &Clientset{store: store.New()}
	c.Clientset = fake.NewClientset(c.takeEvents(objects)...)
	for _, version := range []schema.GroupVersion{corev1.SchemeGroupVersion, eventsv1.SchemeGroupVersion} {
		c.Resources = append(c.Resources, servedEvents(version))
	}
	c.PrependReactor("*", "events", c.react)
	c.PrependReactor("create", "selfsubjectaccessreviews", reactToReview)
	c.PrependReactor("get", "resource", c.reactToDiscovery)
	c.PrependWatchReactor("events", c.reactToWatch)
	return c
}

// takeEvents stores the Events among objects and returns the others, for client-go's tracker.
func (c *Clientset) takeEvents(objects []runtime.Object) []runtime.Object {
	var others []runtime.Object
	for _, object := range objects {
		switch o := object.(type) {
		case *corev1.Event:
			c.mustSeed(o)
		case *eventsv1.Event:
			c.mustSeed(eventconv.ToCore(o))
		case *corev1.EventList, *eventsv1.EventList:
			items, err := meta.ExtractList(o)
			if err != nil {
				panic(err)
			}
			others = append(others, c.takeEvents(items)...)
		default:
			others = append(others, object)
		}
	}
	return others
}

func (c *Clientset) mustSeed(event *corev1.Event) {
	if err := c.store.Seed(event); err != nil {
		panic(fmt.Sprintf("eventstest: cannot hold event %s/%s: %v", event.Namespace, event.Name, err))
	}
}

// Events returns what is stored, whichever group it came through, sorted by namespace and name.
func (c *Clientset) Events() []eventsv1.Event { return c.store.Events() }

// Expire removes an Event as if its time to live had ended, and reports whether it was there.
func (c *Clientset) Expire(namespace, name string) bool { return c.store.Expire(namespace, name) }

// SetTTL makes Events expire ttl after their last write that changed something; as on a real server, a patch without
// effect does not renew it. 0, the default, means never. It holds for what is stored already, too.
func (c *Clientset) SetTTL(ttl time.Duration) { c.store.SetTTL(ttl) }

// SetClock sets what creation timestamps and the time to live are measured with, by default the real time (which inside
// a testing/synctest bubble is the bubble's).
func (c *Clientset) SetClock(clock clock.PassiveClock) { c.store.SetClock(clock) }

// Writes returns how many writes of Events reached the clientset, also those answered with an error.
func (c *Clientset) Writes() Writes {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.writes
}

// DiscardActions sends requests for Events past client-go's Fake from now on. The Fake keeps every action for ever,
// copies it twice, and answers one request at a time, which a test with millions of requests cannot afford. Reactors do
// not see these requests any more; Fail, Lose, Authorize and Writes do.
func (c *Clientset) DiscardActions() {
	c.set(func(s *settings) { s.direct = true })
	c.ClearActions()
}

func (c *Clientset) set(change func(*settings)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.settings)
}

func (c *Clientset) current() settings {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.settings
}

// count adds a request that reached the clientset.
func (c *Clientset) count(request Request) {
	c.written.add(request.Verb, request.Group, request.Namespace)
	c.mu.Lock()
	defer c.mu.Unlock()
	if request.Group == corev1.GroupName {
		c.writes.CoreV1.add(request.Verb)
		return
	}
	c.writes.EventsV1.add(request.Verb)
}
