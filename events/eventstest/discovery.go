// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"
	fakediscovery "k8s.io/client-go/discovery/fake"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// ServeEventsV1 sets whether the cluster serves events.k8s.io/v1, which it does by default. When it does not,
// ServerResourcesForGroupVersion and requests for Events through it answer 404 with empty details. The other discovery
// methods still list the group, which an old apiserver knows too.
func (c *Clientset) ServeEventsV1(served bool) { c.set(func(s *settings) { s.notServed = !served }) }

// FailDiscovery makes err, a 403 or a 503 say, what ServerResourcesForGroupVersion answers about events.k8s.io/v1.
// Requests for Events go on working. Nil, the default, answers again.
func (c *Clientset) FailDiscovery(err error) { c.set(func(s *settings) { s.discoveryErr = err }) }

// Discovery implements kubernetes.Interface. Its dynamic type is not client-go's *FakeDiscovery; that of
// c.Clientset.Discovery() is.
func (c *Clientset) Discovery() clientdiscovery.DiscoveryInterface {
	fake, _ := c.Clientset.Discovery().(*fakediscovery.FakeDiscovery)
	return discovery{fake, c}
}

type discovery struct {
	*fakediscovery.FakeDiscovery
	clientset *Clientset
}

// ServerResourcesForGroupVersion implements discovery.ServerResourcesInterface.
func (d discovery) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	if s := d.clientset.current(); groupVersion == eventsv1.SchemeGroupVersion.String() {
		if s.discoveryErr != nil {
			return nil, s.discoveryErr
		}
		if s.notServed {
			return nil, eventrules.NotServed()
		}
	}
	return d.FakeDiscovery.ServerResourcesForGroupVersion(groupVersion)
}

// ServerResourcesForGroupVersionWithContext is what client-go 0.37 adds.
func (d discovery) ServerResourcesForGroupVersionWithContext(
	ctx context.Context, groupVersion string,
) (*metav1.APIResourceList, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return d.ServerResourcesForGroupVersion(groupVersion)
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
