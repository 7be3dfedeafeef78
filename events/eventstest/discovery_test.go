// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"errors"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	clientdiscovery "k8s.io/client-go/discovery"
	fakediscovery "k8s.io/client-go/discovery/fake"
)

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
