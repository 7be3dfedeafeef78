// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

// Access says which API a component may write Events through, in one namespace. It
// is a plain comparable value. The zero value knows nothing.
type Access struct {
	// Namespace is the one that was asked about; "" is all of them.
	Namespace string
	// User is the name under which the server knows the component, for Remedy. It
	// is empty when nothing needs a remedy or the server would not tell, as servers
	// before 1.28 do not.
	User string
	// EventsV1 is the permission for events.k8s.io/v1.
	EventsV1 Permission
	// CoreV1 is the permission for Events of core/v1. The groups are independent.
	CoreV1 Permission
}

// Access asks what the client's identity may write in namespace, in both API groups:
// Permission for each of them, and User if either is not Allowed. Ask about the
// namespace of the Events: "" asks about all namespaces at once, where only a yes
// can be believed.
//
// It may be called concurrently. It blocks until all questions are answered or have
// failed, ctx has ended or the time of [WithTimeout] has passed. The answer is valid
// also with an error, which counts the reviews that failed and wraps the cause of
// the first; a no is not an error.
func (p *Prober) Access(ctx context.Context, namespace string) (Access, error) {
	ctx, cancel := p.bound(ctx)
	defer cancel()

	viaV1, failed := p.permission(ctx, namespace, eventsv1.GroupName)
	viaCore, more := p.permission(ctx, namespace, corev1.GroupName)
	access := Access{Namespace: namespace, EventsV1: viaV1, CoreV1: viaCore}
	if access.EventsV1 != Allowed || access.CoreV1 != Allowed {
		// Without an identity Remedy has a placeholder; no answer depends on it.
		access.User, _ = p.user(ctx)
	}
	return access, reviewsError(namespace, append(failed, more...))
}

// Permission asks about one API group, "events.k8s.io" or "": two reviews, one if
// Events may not even be created. All else is as with Access.
func (p *Prober) Permission(ctx context.Context, namespace, group string) (Permission, error) {
	ctx, cancel := p.bound(ctx)
	defer cancel()
	permission, failed := p.permission(ctx, namespace, group)
	return permission, reviewsError(namespace, failed)
}

// User asks under which name the server knows the client, for Access.User. Servers
// before 1.28 do not tell.
func (p *Prober) User(ctx context.Context) (string, error) {
	ctx, cancel := p.bound(ctx)
	defer cancel()
	name, err := p.user(ctx)
	if err != nil {
		return "", fmt.Errorf("discovery: cannot tell who the client is, %s: %w", advice(err, "system:basic-user"), err)
	}
	return name, nil
}

// permission asks about both verbs, unless the answer to the first settles it.
func (p *Prober) permission(ctx context.Context, namespace, group string) (_ Permission, failed []error) {
	permission := Allowed
	for _, verb := range []string{"create", "patch"} {
		answer, err := p.review(ctx, namespace, group, verb)
		if err != nil {
			failed = append(failed, err)
		}
		if permission = permission.and(answer); permission == Denied {
			break
		}
	}
	return permission, failed
}

func reviewsError(namespace string, failed []error) error {
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("discovery: %d access reviews in namespace %q failed, %s: %w",
		len(failed), namespace, advice(failed[0], "system:basic-user"), failed[0])
}
