// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/discovery"
)

// newFake returns client-go's fake clientset with a server that serves the group
// version, knows the caller as user, and allows what allow says.
func newFake(user string, allow func(*authorizationv1.ResourceAttributes) bool) *fake.Clientset {
	client := fake.NewClientset()
	client.Resources = []*metav1.APIResourceList{{
		GroupVersion: "events.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "events"}},
	}}
	client.PrependReactor("create", "selfsubjectaccessreviews",
		func(action clienttesting.Action) (bool, runtime.Object, error) {
			review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
			review.Status.Allowed = allow(review.Spec.ResourceAttributes)
			return true, review, nil
		})
	client.PrependReactor("create", "selfsubjectreviews",
		func(clienttesting.Action) (bool, runtime.Object, error) {
			review := &authenticationv1.SelfSubjectReview{}
			review.Status.UserInfo.Username = user
			return true, review, nil
		})
	return client
}

func nothing(*authorizationv1.ResourceAttributes) bool { return false }

// TestFakeClientsetContext: a fake takes no context, so one that is over must be
// noticed before the call.
func TestFakeClientsetContext(t *testing.T) {
	client := newFake("jane", nothing)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	prober := discovery.NewProber(client)
	if got, err := prober.Probe(ctx); got != discovery.Unknown || !errors.Is(err, context.Canceled) {
		t.Errorf("Probe() = %v, %v, want unknown, context canceled", got, err)
	}
	if got, err := prober.Access(ctx, "shop"); got.EventsV1 != discovery.PermissionUnknown ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("Access() = %+v, %v, want unknown, context canceled", got, err)
	}
	if got := len(client.Actions()); got != 0 {
		t.Errorf("%d calls, want none: %v", got, client.Actions())
	}
}

// Caught: a user whose name has megabytes, which would be kept and logged.
func TestAccessFakeClientset(t *testing.T) {
	for user, known := range map[string]string{"jane": "jane", strings.Repeat("j", 1025): ""} {
		client := newFake(user, func(a *authorizationv1.ResourceAttributes) bool { return a.Group == "" })
		got, err := discovery.NewProber(client).Access(t.Context(), "shop")
		want := discovery.Access{
			Namespace: "shop", User: known, EventsV1: discovery.Denied, CoreV1: discovery.Allowed,
		}
		if got != want || err != nil {
			t.Errorf("Access() = %+v, %v, want %+v", got, err, want)
		}
	}
}
