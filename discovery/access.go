// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedauthenticationv1 "k8s.io/client-go/kubernetes/typed/authentication/v1"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/timing"
)

// Access says which API a component may write Events through, in one namespace. It
// is a plain comparable value. The zero value knows nothing.
type Access struct {
	// Namespace is the one that was asked about; "" is all of them.
	Namespace string `json:"-"`
	// User is the name under which the server knows the component, for Remedy. It
	// is empty when nothing needs a remedy or the server would not tell, as servers
	// before 1.28 do not, and when the name is no name: it has more than 1024 bytes.
	User string `json:"user,omitempty"`
	// EventsV1 is the permission for events.k8s.io/v1.
	EventsV1 Permission `json:"eventsV1,omitempty"`
	// CoreV1 is the permission for Events of core/v1. The groups are independent.
	CoreV1 Permission `json:"coreV1,omitempty"`
}

// Permission says whether one API may be written. The zero value is
// PermissionUnknown.
type Permission string

const (
	// PermissionUnknown means that no review settled it; it is not a no.
	PermissionUnknown Permission = ""
	// Allowed means that Events may be created and patched.
	Allowed Permission = "allowed"
	// Denied means that Events may not be created, or not be patched.
	Denied Permission = "denied"
)

// String returns the answer in a word, as in "denied" or "unknown".
func (p Permission) String() string { return cmp.Or(string(p), "unknown") }

// Access asks what the client's identity may write in namespace, in both API groups:
// two reviews for each of them, or one if that is no yes. If either is not Allowed, it
// asks for the user's name, until the server has told it once. Ask about the
// namespace of the Events: "" asks about all namespaces at once, where only a yes can be
// believed.
//
// It may be called concurrently. It blocks until all questions are answered or have
// failed, ctx has ended or 10 seconds have passed. The answer is valid
// also with an error, which says that reviews failed and wraps the cause of
// the first; a no is not an error.
func (p *Prober) Access(ctx context.Context, namespace string) (Access, error) {
	ctx, cancel := context.WithTimeout(ctx, timing.ProbeTimeout)
	defer cancel()

	access := Access{Namespace: namespace}
	var eventsErr, coreErr error
	access.EventsV1, eventsErr = p.permission(ctx, namespace, eventsv1.GroupName)
	access.CoreV1, coreErr = p.permission(ctx, namespace, corev1.GroupName)
	if len(access.missing()) > 0 {
		// Without an answer Remedy has a placeholder.
		access.User, _ = ask(ctx, p.username)
	}
	if err := cmp.Or(eventsErr, coreErr); err != nil {
		return access, fmt.Errorf("discovery: cannot tell what RBAC allows in namespace %q; %s: %w",
			namespace, advice(err, "system:basic-user"), err)
	}
	return access, nil
}

// permission asks about both verbs, which are both needed. The first answer that is not
// Allowed is the result.
func (p *Prober) permission(ctx context.Context, namespace, group string) (Permission, error) {
	return ask(ctx, func(ctx context.Context) (Permission, error) {
		api := authorizationv1.SchemeGroupVersion
		client, _ := apiclient.Once(p.client.AuthorizationV1(), api, typedauthorizationv1.New)
		for _, verb := range []string{"create", "patch"} {
			write := &authorizationv1.ResourceAttributes{
				Namespace: namespace,
				Verb:      verb,
				Group:     group,
				// It is in a real write, and webhook authorizers may look at it.
				Version:  "v1",
				Resource: "events",
			}
			answer, err := client.SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
				Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: write},
			}, metav1.CreateOptions{})
			switch {
			case err != nil:
				return PermissionUnknown, err
			case answer.Status.Allowed:
				continue
			case answer.Spec.ResourceAttributes == nil:
				// What is no review decodes to an empty one, which would be a no.
				return PermissionUnknown, errors.New("the answer does not repeat the question; " +
					"check for a proxy that answers in place of the server")
			case answer.Status.EvaluationError != "" && !answer.Status.Denied:
				// A write in this state is answered 500, not 403: an authorizer is out of
				// order. RBAC reports its own troubles as a reason instead.
				return PermissionUnknown, fmt.Errorf("no decision: %s", answer.Status.EvaluationError)
			case namespace == metav1.NamespaceAll:
				return PermissionUnknown, nil
			}
			return Denied, nil
		}
		return Allowed, nil
	})
}

// maxName bounds the name of the client's user, which is kept, and logged with the remedy. A
// service account's has 340 bytes at most.
const maxName = 1024

// username returns the name of the client's user, and asks for it while that is not known.
func (p *Prober) username(ctx context.Context) (string, error) {
	if known := p.user.Load(); known != nil && *known != "" {
		return *known, nil
	}
	api := authenticationv1.SchemeGroupVersion
	client, _ := apiclient.Once(p.client.AuthenticationV1(), api, typedauthenticationv1.New)
	review := &authenticationv1.SelfSubjectReview{}
	answer, err := client.SelfSubjectReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	name := answer.Status.UserInfo.Username
	if len(name) > maxName {
		return "", errors.New("the name is too long")
	}
	p.user.Store(&name)
	return name, nil
}
