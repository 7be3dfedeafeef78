// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/usercode"
)

// review asks for one verb on the Events of one API group.
func (p *Prober) review(ctx context.Context, namespace, group, verb string) (_ Permission, err error) {
	defer recoverPart(&err)
	client := p.client.AuthorizationV1()
	answer, err := post(ctx, client.RESTClient(), "selfsubjectaccessreviews", client.SelfSubjectAccessReviews(),
		&authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			// Version is in a real write, and webhook authorizers may look at it.
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: verb, Group: group, Version: "v1", Resource: "events",
			},
		}})
	if err != nil {
		return PermissionUnknown, err
	}
	return judge(answer.Status, namespace)
}

// judge reads the answer to one review.
func judge(status authorizationv1.SubjectAccessReviewStatus, namespace string) (Permission, error) {
	switch {
	case status.Allowed:
		return Allowed, nil
	case status.EvaluationError != "" && !status.Denied:
		// A write in this state is answered 500, not 403: an authorizer is out of
		// order. RBAC reports its own troubles as a reason instead.
		return PermissionUnknown, fmt.Errorf("no decision: %s", status.EvaluationError)
	case namespace == metav1.NamespaceAll:
		return PermissionUnknown, nil
	default:
		return Denied, nil
	}
}

// user asks under which name the server knows the client.
func (p *Prober) user(ctx context.Context) (_ string, err error) {
	defer recoverPart(&err)
	client := p.client.AuthenticationV1()
	answer, err := post(ctx, client.RESTClient(), "selfsubjectreviews", client.SelfSubjectReviews(),
		&authenticationv1.SelfSubjectReview{})
	if err != nil {
		return "", err
	}
	return answer.Status.UserInfo.Username, nil
}

// A creator is the typed client for one kind of review.
type creator[T runtime.Object] interface {
	Create(ctx context.Context, review T, opts metav1.CreateOptions) (T, error)
}

// post sends review once and returns the answer. Only a fake has no rc; then typed
// answers.
func post[T runtime.Object](
	ctx context.Context, rc rest.Interface, resource string, typed creator[T], review T,
) (answer T, err error) {
	if usercode.IsNil(rc) {
		if err := ctx.Err(); err != nil {
			return answer, err
		}
		return typed.Create(ctx, review, metav1.CreateOptions{})
	}
	// Get and not Into, which takes a 2xx about something else for an empty answer,
	// and an empty answer is a no.
	object, err := apiclient.Do(ctx, rc.Post().UseProtobufAsDefault().Resource(resource).Body(review)).Get()
	if err != nil {
		return answer, err
	}
	answer, ok := object.(T)
	if !ok {
		return answer, fmt.Errorf("the server answered with a %T, want %T", object, review)
	}
	return answer, nil
}
