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

// Access is the result of [Prober.Access]: the permissions of a component for Events in one
// namespace. It is a plain comparable value. In the zero value, all permissions are unknown.
type Access struct {
	// Namespace is the namespace that the permissions are for. "" means all namespaces.
	Namespace string `json:"-"`
	// User is the name of the component as the server knows it, for Remedy. It is empty in three
	// cases: nothing needs a remedy; the server does not return the name, as servers before 1.28 do
	// not; or the name has more than 1024 bytes.
	User string `json:"user,omitempty"`
	// EventsV1 is the permission to write Events of events.k8s.io/v1.
	EventsV1 Permission `json:"eventsV1,omitempty"`
	// CoreV1 is the permission to write Events of core/v1. RBAC grants each API group separately.
	CoreV1 Permission `json:"coreV1,omitempty"`
}

// Permission says whether a component is allowed to write Events through one API. The zero value is
// PermissionUnknown.
type Permission string

const (
	// PermissionUnknown means that no review has determined the permission. It does not mean that
	// the permission is denied.
	PermissionUnknown Permission = ""
	// Allowed means that the component is allowed to create and to patch Events.
	Allowed Permission = "allowed"
	// Denied means that the component is not allowed to create Events, or not allowed to patch
	// them.
	Denied Permission = "denied"
)

// String returns the permission in one word: "allowed", "denied" or "unknown".
func (p Permission) String() string { return cmp.Or(string(p), "unknown") }

// Access asks the server whether the identity of the client may create and patch Events in
// namespace, in both API groups. Ask about the namespace in which the Events are written. The
// namespace "" asks about all namespaces at once. In this case only Allowed is reliable, so a
// denial becomes PermissionUnknown, and the error is nil.
//
// The returned Access is valid even if the error is not nil. The error means that at least one
// question to the server failed; it wraps the cause of the first failure. If a permission is
// Denied, that is an answer and not an error.
//
// Access blocks until all questions are answered or have failed, until ctx ends, or for 10 seconds,
// whichever comes first. It is safe for concurrent use.
func (p *Prober) Access(ctx context.Context, namespace string) (Access, error) {
	ctx, cancel := context.WithTimeout(ctx, timing.ProbeTimeout)
	defer cancel()

	access := Access{Namespace: namespace}
	var eventsErr, coreErr error
	access.EventsV1, eventsErr = p.permission(ctx, namespace, eventsv1.GroupName)
	access.CoreV1, coreErr = p.permission(ctx, namespace, corev1.GroupName)
	if len(access.missing()) > 0 {
		// An error is ignored, because Remedy has a placeholder for a name that is not known.
		access.User, _ = ask(ctx, p.username)
	}
	if err := cmp.Or(eventsErr, coreErr); err != nil {
		return access, fmt.Errorf("discovery: cannot tell what RBAC allows in namespace %q; %s: %w",
			namespace, advice(err, "system:basic-user"), err)
	}
	return access, nil
}

// permission asks whether Events of one API group may be created, and then whether they may be
// patched. A component needs both. The result is Allowed, or the first answer that is not Allowed.
func (p *Prober) permission(ctx context.Context, namespace, group string) (Permission, error) {
	return ask(ctx, func(ctx context.Context) (Permission, error) {
		api := authorizationv1.SchemeGroupVersion
		client, _ := apiclient.Once(p.client.AuthorizationV1(), api, typedauthorizationv1.New)
		for _, verb := range []string{"create", "patch"} {
			write := &authorizationv1.ResourceAttributes{
				Namespace: namespace,
				Verb:      verb,
				Group:     group,
				// A real write names the version, and webhook authorizers may check it.
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
				// An answer that is not a review, such as the page of a proxy, decodes to an empty
				// review. It must not be mistaken for a denial.
				return PermissionUnknown, errors.New("the answer does not repeat the question; " +
					"check for a proxy that answers in place of the server")
			case answer.Status.EvaluationError != "" && !answer.Status.Denied:
				// An authorizer has failed. While an authorizer fails, the server answers a write
				// with 500 and not with 403. The authorizer is not RBAC, because RBAC reports its
				// own failures in the reason of the answer.
				return PermissionUnknown, fmt.Errorf("no decision: %s", answer.Status.EvaluationError)
			case namespace == metav1.NamespaceAll:
				return PermissionUnknown, nil
			}
			return Denied, nil
		}
		return Allowed, nil
	})
}

// maxName is the maximum length of the name of the client's user, in bytes. It is limited because
// the name is kept in memory and logged with the remedy. The name of a service account has at most
// 340 bytes.
const maxName = 1024

// username returns the name of the client's user. It asks the server if the name is not known yet,
// and remembers the name.
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
