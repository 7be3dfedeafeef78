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

// Clientset is client-go's fake clientset with a kube-apiserver's behaviour for Events: EventsV1().Events and
// CoreV1().Events are two views of one storage that enforces the create and update rules, Discovery says whether
// events.k8s.io/v1 is served, and SelfSubjectAccessReviews are answered. Everything else is client-go's.
//
// Requests for Events are not in Actions, and no reactor sees them: [Clientset.Authorize], [Clientset.Fail] and
// [Clientset.Lose] do, and [Clientset.Writes] counts them. Unlike client-go's, the event clients honour their context,
// also those that watch, and answer many requests at a time.
//
// All methods are safe for concurrent use, except, as in client-go, adding reactors. See [NewClientset].
type Clientset struct {
	*fake.Clientset
	store *store.Store

	mu       sync.RWMutex // guards everything below
	settings settings
	writes   Writes
	written  map[Access]bool
}

// settings are what a test may change while requests are under way.
type settings struct {
	authorize    func(Request) bool
	fail, lose   Hook
	notServed    bool
	discoveryErr error
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

// ServeEventsV1 sets whether the cluster serves events.k8s.io/v1, which it does by default. When it does not,
// ServerResourcesForGroupVersion and requests for Events through it answer 404 with empty details, as an old apiserver
// does. Discovery then answers so about every version: client-go's fake does not tell reactors which one was asked for.
func (c *Clientset) ServeEventsV1(served bool) { c.set(func(s *settings) { s.notServed = !served }) }

// FailDiscovery makes ServerResourcesForGroupVersion answer err, for example a 403 or a 503, about every version.
// Requests for Events go on working. Nil, the default, restores the answer.
func (c *Clientset) FailDiscovery(err error) { c.set(func(s *settings) { s.discoveryErr = err }) }

// reactToDiscovery answers nothing itself, it only fails: client-go's FakeDiscovery looks up what is served, and its
// type changes between the releases of client-go, so it cannot be wrapped.
func (c *Clientset) reactToDiscovery(clienttesting.Action) (bool, runtime.Object, error) {
	s := c.current()
	if s.discoveryErr == nil && s.notServed {
		return true, nil, rules.NotServed()
	}
	return s.discoveryErr != nil, nil, s.discoveryErr
}

// servedEvents is what a server says about a group version with nothing but Events.
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

// Authorize sets the function that allows requests. By default all are allowed. allow is called for every request for
// Events; if it returns false, the answer is 403. It is also called for every SelfSubjectAccessReview and decides its
// answer. A review without a namespace is about all namespaces, so an allow for single namespaces must return false for
// it. Calls are concurrent and without locks; allow must not block. Nil restores the default.
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

// Create implements typedauthorizationv1.SelfSubjectAccessReviewInterface. The status is filled in before the review
// reaches client-go's Fake, so that no hook runs under its lock and reactors still have the last word.
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

// reactToReview returns the review with its status. A review that came through c.Clientset has none, and is allowed.
func reactToReview(action clienttesting.Action) (bool, runtime.Object, error) {
	create, _ := action.(clienttesting.CreateAction)
	review, ok := create.GetObject().(*authorizationv1.SelfSubjectAccessReview)
	if ok && review.Status == (authorizationv1.SubjectAccessReviewStatus{}) {
		review.Status.Allowed = true
	}
	return ok, review, nil
}
