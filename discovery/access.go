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

// Access asks what the client's identity may write in namespace: create and patch,
// in both API groups, hence four reviews. Ask about the namespace of the Events:
// "" asks about all namespaces at once, where only a yes can be believed.
//
// It may be called concurrently. It blocks until all reviews are answered or have
// failed, ctx has ended or the time of [WithTimeout] has passed. The answer is valid
// also with an error, which counts the reviews that failed and wraps the cause of
// the first; a no is not an error.
func (p *Prober) Access(ctx context.Context, namespace string) (Access, error) {
	ctx, cancel := p.bound(ctx)
	defer cancel()

	var failed []error
	may := func(verb, group string) Permission {
		permission, err := p.review(ctx, namespace, group, verb)
		if err != nil {
			failed = append(failed, err)
		}
		return permission
	}
	access := Access{
		Namespace: namespace,
		EventsV1:  may("create", eventsv1.GroupName).and(may("patch", eventsv1.GroupName)),
		CoreV1:    may("create", corev1.GroupName).and(may("patch", corev1.GroupName)),
	}
	if access.EventsV1 != Allowed || access.CoreV1 != Allowed {
		// Without an identity Remedy has a placeholder; no answer depends on it.
		access.User, _ = p.user(ctx)
	}
	if len(failed) == 0 {
		return access, nil
	}
	return access, fmt.Errorf("discovery: %d of 4 access reviews in namespace %q failed, %s: %w",
		len(failed), namespace, advice(failed[0], "system:basic-user"), failed[0])
}
