// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Access says which API a component may write Events through, in one namespace. It
// is a plain comparable value. The zero value knows nothing.
type Access struct {
	// Namespace is the one that was asked about; "" is all of them.
	Namespace string `json:"-"`
	// User is the name under which the server knows the component, for Remedy. It
	// is empty when nothing needs a remedy or the server would not tell, as servers
	// before 1.28 do not.
	User string `json:"user,omitempty"`
	// EventsV1 is the permission for events.k8s.io/v1.
	EventsV1 Permission `json:"eventsV1"`
	// CoreV1 is the permission for Events of core/v1. The groups are independent.
	CoreV1 Permission `json:"coreV1"`
}

// Permission says whether one API may be written. The zero value is
// PermissionUnknown.
type Permission int

const (
	// PermissionUnknown means that no review settled it; it is not a no.
	PermissionUnknown Permission = iota
	// Allowed means that Events may be created and patched.
	Allowed
	// Denied means that Events may not be created, or not be patched.
	Denied
)

// String returns the answer in a word, as in "denied".
func (p Permission) String() string {
	return inWords(int(p), "Permission", "unknown", "allowed", "denied")
}

// MarshalText returns String, for JSON.
func (p Permission) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Access asks what the client's identity may write in namespace, in both API groups:
// two reviews for each of them, one if Events may not even be created. If either is not
// Allowed, it asks for the user's name, until the server has told it once. Ask about the
// namespace of the Events: "" asks about all namespaces at once, where only a yes can be
// believed.
//
// It may be called concurrently. It blocks until all questions are answered or have
// failed, ctx has ended or 10 seconds have passed. The answer is valid
// also with an error, which counts the reviews that failed and wraps the cause of
// the first; a no is not an error.
func (p *Prober) Access(ctx context.Context, namespace string) (Access, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()

	viaV1, failed := p.permission(ctx, namespace, eventsv1.GroupName)
	viaCore, more := p.permission(ctx, namespace, corev1.GroupName)
	access := Access{Namespace: namespace, EventsV1: viaV1, CoreV1: viaCore}
	if access.EventsV1 != Allowed || access.CoreV1 != Allowed {
		access.User = p.username(ctx)
	}
	if failed = append(failed, more...); len(failed) > 0 {
		return access, fmt.Errorf("discovery: %d access reviews in namespace %q failed; %s: %w",
			len(failed), namespace, advice(failed[0], "system:basic-user"), failed[0])
	}
	return access, nil
}

// permission asks about both verbs, which are both needed. After a no to create it
// does not ask about patch.
func (p *Prober) permission(ctx context.Context, namespace, group string) (_ Permission, failed []error) {
	permission := Allowed
	for _, verb := range []string{"create", "patch"} {
		answer, err := p.review(ctx, namespace, group, verb)
		if err != nil {
			failed = append(failed, err)
		}
		switch answer {
		case Denied:
			return Denied, failed
		case PermissionUnknown:
			permission = PermissionUnknown
		}
	}
	return permission, failed
}

// review asks for one verb on the Events of one API group.
func (p *Prober) review(ctx context.Context, namespace, group, verb string) (_ Permission, err error) {
	defer recoverClient(&err)
	client := p.client.AuthorizationV1()
	answer, err := post(ctx, client.RESTClient(), "selfsubjectaccessreviews", client.SelfSubjectAccessReviews(),
		&authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			// Version is in a real write, and webhook authorizers may look at it.
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: namespace, Verb: verb, Group: group, Version: "v1", Resource: "events",
			},
		}})
	switch {
	case err != nil:
		return PermissionUnknown, err
	case answer.Status.Allowed:
		return Allowed, nil
	case answer.Status.EvaluationError != "" && !answer.Status.Denied:
		// A write in this state is answered 500, not 403: an authorizer is out of
		// order. RBAC reports its own troubles as a reason instead.
		return PermissionUnknown, fmt.Errorf("no decision: %s", answer.Status.EvaluationError)
	case namespace == metav1.NamespaceAll:
		return PermissionUnknown, nil
	default:
		return Denied, nil
	}
}

// username returns the name of the client's user. Who comes first asks for it; without an
// answer Remedy has a placeholder, and the next caller asks again.
func (p *Prober) username(ctx context.Context) (name string) {
	if p.name == nil {
		return ""
	}
	select {
	case name = <-p.name:
		defer func() { p.name <- name }()
	case <-ctx.Done():
		return ""
	}
	if name == "" {
		name, _ = p.user(ctx)
	}
	return name
}

// user asks under which name the server knows the client.
func (p *Prober) user(ctx context.Context) (_ string, err error) {
	defer recoverClient(&err)
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
	object, err := apiclient.Do(ctx, rc, rc.Post().UseProtobufAsDefault().Resource(resource).Body(review)).Get()
	if err != nil {
		return answer, err
	}
	answer, ok := object.(T)
	if !ok {
		return answer, fmt.Errorf("the server answered with a %T, want %T", object, review)
	}
	return answer, nil
}
