// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

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
			Name: "events", Kind: "Event", Namespaced: true, ShortNames: []string{"ev"},
			Verbs: metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		}},
	}
}
