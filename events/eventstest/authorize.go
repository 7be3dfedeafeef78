// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	clienttesting "k8s.io/client-go/testing"
)

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
		request := Request{Verb: "create", Group: authorizationv1.GroupName, Resource: "selfsubjectaccessreviews"}
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
		Verb: asked.Verb, Group: asked.Group, Resource: asked.Resource, Namespace: asked.Namespace, Name: asked.Name,
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
