// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clienttesting "k8s.io/client-go/testing"
)

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

func TestReviewIsTheCallers(t *testing.T) {
	asked := &authorizationv1.SelfSubjectAccessReview{}
	reviews := NewClientset().AuthorizationV1().SelfSubjectAccessReviews()
	answer, err := reviews.Create(t.Context(), asked, metav1.CreateOptions{})
	if err != nil || !answer.Status.Allowed || asked.Status.Allowed {
		t.Errorf("answered %v, %v, and the one asked with became %v", answer.Status, err, asked.Status)
	}
}
