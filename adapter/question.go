// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/discovery"
)

// asker is a [*discovery.Prober].
type asker interface {
	Permission(ctx context.Context, namespace, group string) (discovery.Permission, error)
	User(ctx context.Context) (string, error)
}

// learn returns what RBAC allows in a namespace where a write was refused, as of at
// most a minute ago.
func (n *namespaces) learn(ctx context.Context, name string) discovery.Access {
	n.mu.Lock()
	defer n.mu.Unlock()
	ns := n.entryLocked(name)
	if !n.config.recently(ns.asked, accessEvery) {
		n.askLocked(ctx, name, ns, true)
	}
	return ns.access
}

// askLocked asks about a namespace: about both APIs, or about events.k8s.io/v1
// alone. Callers at the same time share one question. The lock is not held
// meanwhile.
func (n *namespaces) askLocked(ctx context.Context, name string, ns *namespace, both bool) {
	if asking := ns.asking; asking != nil {
		n.mu.Unlock()
		defer n.mu.Lock()
		select {
		case <-asking:
		case <-ctx.Done():
		}
		return
	}
	asking, access := make(chan struct{}), ns.access
	ns.asking = asking
	n.moments++
	moment := n.moments
	n.mu.Unlock()

	err := n.review(ctx, name, &access, both)

	n.mu.Lock()
	ns.access, ns.asking = access, nil
	// A write that ran out of time must not have the next one ask anew: that one
	// would run out of time, too. At a drain the asker gave up, and another may ask.
	if ctx.Err() == nil || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		ns.asked = n.config.clock.Now()
	}
	if both {
		ns.answer, ns.tried = moment, false
	}
	if err != nil {
		ns.err = err
	}
	close(asking)
}

// review asks the server.
func (n *namespaces) review(ctx context.Context, name string, access *discovery.Access, both bool) (err error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	access.Namespace = name
	access.EventsV1, err = n.asker.Permission(ctx, name, eventsv1.GroupName)
	if both {
		var failed error
		if access.CoreV1, failed = n.asker.Permission(ctx, name, corev1.GroupName); err == nil {
			err = failed
		}
	}
	return err
}

// identify returns who we are, for a remedy. The first one asks.
func (n *namespaces) identify(ctx context.Context) (user string) {
	n.mu.Lock()
	user = n.user
	n.mu.Unlock()
	if user == "" {
		// Without an identity Remedy has a placeholder, and the next one asks again.
		user, _ = n.asker.User(ctx)
		n.mu.Lock()
		n.user = user
		n.mu.Unlock()
	}
	return user
}
