// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientdiscovery "k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// contextual is discovery as client-go has it since v0.37, but without a RESTClient.
// What it lacks is the embedded nil interface's, and panics.
type contextual struct {
	clientdiscovery.DiscoveryInterface
	got context.Context
}

func (*contextual) RESTClient() rest.Interface { return nil }

func (c *contextual) ServerResourcesForGroupVersionWithContext(
	ctx context.Context, groupVersion string,
) (*metav1.APIResourceList, error) {
	c.got = ctx
	return &metav1.APIResourceList{
		GroupVersion: groupVersion, APIResources: []metav1.APIResource{{Name: "events"}},
	}, nil
}

// TestDiscoveryWithContext is internal because the type that a clientset's
// Discovery returns depends on the version of client-go.
func TestDiscoveryWithContext(t *testing.T) {
	client := &contextual{}
	list, err := eventResources(t.Context(), client)
	if err != nil || !listsEvents(list) || list.GroupVersion != "events.k8s.io/v1" {
		t.Errorf("eventResources() = %v, %v, want events of events.k8s.io/v1", list, err)
	}
	if client.got != t.Context() {
		t.Errorf("discovery got context %v, want the caller's", client.got)
	}
}
