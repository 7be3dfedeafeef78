// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"
	"net/http"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

// aRole lets everybody create, not patch, Events in namespace a.
func aRole(r Request) bool { return r.Namespace == "a" && r.Verb == "create" && r.Resource == "events" }

func TestAccessReviews(t *testing.T) {
	for _, r := range []struct {
		name, verb, namespace string
		authorize             func(Request) bool
		want                  bool
	}{
		{"everything is allowed by default", "patch", "b", nil, true},
		{"in its namespace", "create", "a", aRole, true},
		{"another verb", "patch", "a", aRole, false},
		{"another namespace", "create", "b", aRole, false},
		{"all namespaces", "create", "", aRole, false},
	} {
		t.Run(r.name, func(t *testing.T) {
			c := NewClientset()
			c.Authorize(r.authorize)
			for range 2 { // a second review is no duplicate
				if got, err := review(t.Context(), c, r.verb, r.namespace); err != nil || got != r.want {
					t.Errorf("allowed: %v, %v; want %v", got, err, r.want)
				}
			}
		})
	}
}

func TestRequestsAreAuthorizedLikeReviews(t *testing.T) {
	c := NewClientset()
	c.Authorize(aRole)
	mustCreate(t, viaEventsV1(c), in("a", newEvent("web.1")))
	_, err := viaEventsV1(c).Patch(t.Context(), in("a", newEvent("web.1")), []byte(secondOccurrence))
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
	_, err = viaEventsV1(c).Create(t.Context(), in("b", newEvent("web.1")))
	checkStatus(t, err, http.StatusForbidden, apierrors.IsForbidden)
	if details := err.(apierrors.APIStatus).Status().Details; len(details.Causes) != 0 {
		t.Errorf("causes %v, want none: RBAC gives none", details.Causes)
	}
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
