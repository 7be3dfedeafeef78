// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/rules"
	"github.com/eventseries/eventseries/internal/testkit/store"
)

var _ kubernetes.Interface = (*Clientset)(nil)

// Clientset is client-go's fake clientset, except that it behaves like a kube-apiserver in three
// respects:
//
//   - EventsV1().Events and CoreV1().Events share one storage, which enforces the rules for creates
//     and updates.
//   - Discovery says whether events.k8s.io/v1 is served.
//   - SelfSubjectAccessReviews are answered.
//
// Requests for Events are not listed in Actions, and reactors do not see them. Use
// [Clientset.Authorize], [Clientset.Fail] and [Clientset.Lose] to answer them, and
// [Clientset.Writes] to count them. Unlike client-go's fakes, the clients for Events obey their
// context, also in a watch, and answer several requests at a time.
//
// Create a Clientset with [NewClientset]. All methods are safe for concurrent use, except adding
// reactors, as in client-go.
type Clientset struct {
	*fake.Clientset
	store *store.Store

	// mu guards the fields below.
	mu       sync.RWMutex
	settings settings
	writes   Writes
	// written is the set of groups and namespaces that the method Written returns.
	written map[Access]bool
}

// settings contains everything that a test may change while requests are in flight.
type settings struct {
	authorize    func(Request) bool
	fail, lose   Hook
	notServed    bool
	discoveryErr error
}

// Writes counts the writes of Events that reached a [Clientset], by API group.
type Writes struct {
	// EventsV1 counts the writes through events.k8s.io/v1, and CoreV1 counts those through core/v1.
	EventsV1, CoreV1 Counts
}

// NewClientset returns a clientset with the given objects. The Events among them may be of either
// group. They are stored unchanged, because the rules apply only to requests. Like client-go's
// NewClientset, it panics if client-go's scheme does not contain the type of an object.
//
// At first Events never expire, events.k8s.io/v1 is served, and everything is allowed.
func NewClientset(objects ...runtime.Object) *Clientset {
	c := &Clientset{store: store.New(), written: map[Access]bool{}}
	c.Clientset = fake.NewClientset(c.takeEvents(objects)...)
	for _, version := range []schema.GroupVersion{corev1.SchemeGroupVersion, eventsv1.SchemeGroupVersion} {
		c.Resources = append(c.Resources, servedEvents(version))
	}
	c.PrependReactor("*", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errEmbedded
	})
	c.PrependReactor("create", "selfsubjectaccessreviews", reactToReview)
	c.PrependReactor("get", "resource", c.reactToDiscovery)
	c.PrependWatchReactor("events", clienttesting.DefaultWatchReactor(nil, errEmbedded))
	return c
}

// takeEvents stores the Events among objects and returns the other objects, which belong in
// client-go's tracker.
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

// Events returns the stored Events, whichever group they were written through, sorted by namespace
// and name.
func (c *Clientset) Events() []eventsv1.Event { return c.store.Events() }

// Expire removes an Event as if its time to live had ended, and reports whether the Event existed.
func (c *Clientset) Expire(namespace, name string) bool { return c.store.Expire(namespace, name) }

// SetTTL makes every Event, including those already stored, expire when the time ttl has passed
// since the last write that changed the Event. As on a real server, a patch that changes nothing
// does not extend the time. 0, the default, means that Events never expire.
func (c *Clientset) SetTTL(ttl time.Duration) { c.store.SetTTL(ttl) }

// SetClock sets the clock for creation timestamps and the time to live. The default is the real
// clock, which in a testing/synctest bubble is the fake clock of the bubble.
func (c *Clientset) SetClock(clock clock.PassiveClock) { c.store.SetClock(clock) }

// Writes returns the numbers of writes of Events that have reached the clientset, including those
// answered with an error.
func (c *Clientset) Writes() Writes {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.writes
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

// count counts a request that reached the clientset, if it is a write.
func (c *Clientset) count(request Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	counts := &c.writes.EventsV1
	if request.Group == corev1.GroupName {
		counts = &c.writes.CoreV1
	}
	if counts.add(request.Verb) {
		c.written[Access{Group: request.Group, Namespace: strings.Clone(request.Namespace)}] = true
	}
}

// ServeEventsV1 sets whether the cluster serves events.k8s.io/v1, which it does by default. If it
// does not, requests for Events through this version are answered with 404 and empty details, as an
// old API server does.
//
// If events.k8s.io/v1 is not served, discovery (ServerResourcesForGroupVersion) gives the same 404
// for every version, because client-go's fake does not tell its reactors which version was
// requested.
func (c *Clientset) ServeEventsV1(served bool) { c.set(func(s *settings) { s.notServed = !served }) }

// FailDiscovery makes discovery (ServerResourcesForGroupVersion) fail with err, such as a 403 or a
// 503, for every version. Requests for Events are not affected. If err is nil, the default,
// discovery succeeds.
func (c *Clientset) FailDiscovery(err error) { c.set(func(s *settings) { s.discoveryErr = err }) }

// reactToDiscovery makes discovery fail if the settings say so. Otherwise client-go's FakeDiscovery
// answers. FakeDiscovery itself cannot be wrapped, because its type differs between the versions of
// client-go.
func (c *Clientset) reactToDiscovery(clienttesting.Action) (bool, runtime.Object, error) {
	s := c.current()
	if s.discoveryErr == nil && s.notServed {
		return true, nil, rules.NotServed()
	}
	return s.discoveryErr != nil, nil, s.discoveryErr
}

// servedEvents returns the answer of discovery for a group version that contains only Events.
func servedEvents(version schema.GroupVersion) *metav1.APIResourceList {
	return &metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: version.String(),
		APIResources: []metav1.APIResource{{
			Name:       "events",
			Kind:       "Event",
			Namespaced: true,
			ShortNames: []string{"ev"},
			Verbs:      metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		}},
	}
}

// Authorize sets the function that decides which requests are allowed. If it returns false for a
// request for Events, the answer is 403. It also decides the answer to each
// SelfSubjectAccessReview. If it is nil, the default, everything is allowed.
//
// A request or review with Namespace "" is about all namespaces. So a function that allows only
// some namespaces must return false if Namespace is "". The function is called without a lock, and
// several calls may be concurrent. It must not block.
func (c *Clientset) Authorize(allow func(Request) bool) {
	c.set(func(s *settings) { s.authorize = allow })
}

// AuthorizationV1 implements kubernetes.Interface.
func (c *Clientset) AuthorizationV1() typedauthorizationv1.AuthorizationV1Interface {
	return authorizationV1{c.Clientset.AuthorizationV1(), c}
}

type authorizationV1 struct {
	typedauthorizationv1.AuthorizationV1Interface
	clientset *Clientset
}

// SelfSubjectAccessReviews implements typedauthorizationv1.SelfSubjectAccessReviewsGetter.
func (g authorizationV1) SelfSubjectAccessReviews() typedauthorizationv1.SelfSubjectAccessReviewInterface {
	return reviews{g.AuthorizationV1Interface.SelfSubjectAccessReviews(), g.clientset}
}

type reviews struct {
	typedauthorizationv1.SelfSubjectAccessReviewInterface
	clientset *Clientset
}

// Create implements typedauthorizationv1.SelfSubjectAccessReviewInterface. It sets the status
// before it passes the review to client-go's Fake, so that no hook runs under the lock of the Fake,
// and a test's reactor can still change the answer.
func (r reviews) Create(
	ctx context.Context, review *authorizationv1.SelfSubjectAccessReview, opts metav1.CreateOptions,
) (*authorizationv1.SelfSubjectAccessReview, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := r.clientset.current()
	if s.fail != nil {
		request := Request{
			Verb:     "create",
			Group:    authorizationv1.GroupName,
			Resource: "selfsubjectaccessreviews",
		}
		if err := s.fail(ctx, request); err != nil {
			return nil, err
		}
	}
	review = review.DeepCopy()
	review.Status = s.review(review.Spec.ResourceAttributes)
	return r.SelfSubjectAccessReviewInterface.Create(ctx, review, opts)
}

// review returns the answer to an access review.
func (s *settings) review(asked *authorizationv1.ResourceAttributes) authorizationv1.SubjectAccessReviewStatus {
	if s.authorize == nil || asked == nil || s.authorize(Request{
		Verb:      asked.Verb,
		Group:     asked.Group,
		Resource:  asked.Resource,
		Namespace: asked.Namespace,
		Name:      asked.Name,
	}) {
		return authorizationv1.SubjectAccessReviewStatus{Allowed: true, Reason: "eventstest: allowed"}
	}
	return authorizationv1.SubjectAccessReviewStatus{Reason: "eventstest: not allowed"}
}

// reactToReview returns the review with its status. If the review came through the embedded
// clientset, it has no status yet, and reactToReview sets the status to allowed.
func reactToReview(action clienttesting.Action) (bool, runtime.Object, error) {
	create, _ := action.(clienttesting.CreateAction)
	review, ok := create.GetObject().(*authorizationv1.SelfSubjectAccessReview)
	if ok && review.Status == (authorizationv1.SubjectAccessReviewStatus{}) {
		review.Status.Allowed = true
	}
	return ok, review, nil
}
