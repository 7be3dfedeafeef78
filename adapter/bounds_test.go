// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"fmt"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	typedauthorizationv1 "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/options"
)

// refuser is a sink that refuses everything.
type refuser struct{}

func (refuser) Create(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "web", errors.New("no"))
}

func (s refuser) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return s.Create(ctx, e)
}

// reviewer is a client that says what RBAC allows by group, or nothing about groups that it does not know.
type reviewer struct {
	kubernetes.Interface
	typedauthorizationv1.AuthorizationV1Interface
	typedauthorizationv1.SelfSubjectAccessReviewInterface

	allowed map[string]bool
}

func (r reviewer) AuthorizationV1() typedauthorizationv1.AuthorizationV1Interface { return r }
func (r reviewer) RESTClient() rest.Interface                                     { return nil }
func (r reviewer) SelfSubjectAccessReviews() typedauthorizationv1.SelfSubjectAccessReviewInterface {
	return r
}

func (r reviewer) Create(
	_ context.Context, review *authorizationv1.SelfSubjectAccessReview, _ metav1.CreateOptions,
) (*authorizationv1.SelfSubjectAccessReview, error) {
	allowed, known := r.allowed[review.Spec.ResourceAttributes.Group]
	if !known {
		return nil, errors.New("the authorizer is out of order")
	}
	review.Status.Allowed = allowed
	return review, nil
}

// I5: what is remembered of namespaces is bounded, whatever is refused.
//
// Caught: no bound on the namespaces.
func TestI5WhatIsRememberedIsBounded(t *testing.T) {
	for name, allowed := range map[string]map[string]bool{
		"nothing allowed": {"events.k8s.io": false, "": false},
		"core allowed":    {"events.k8s.io": false, "": true},
		"both allowed":    {"events.k8s.io": true, "": true},
		"nobody can tell": {},
	} {
		t.Run(name, func(t *testing.T) {
			c := config{Common: options.Common{Clock: clock.RealClock{}, Logger: &klog.Logger{}}, mode: Auto}
			r := newRouter(&c)
			prober := discovery.NewProber(reviewer{allowed: allowed})
			r.attach(prober, map[API]events.Sink{EventsV1: refuser{}, CoreV1: refuser{}})
			r.support.fix(discovery.Served)
			for i := range 2 * maxNamespaces {
				e := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: "web"}}
				if _, err := r.Create(t.Context(), e); !apierrors.IsForbidden(err) {
					t.Fatalf("Create: %v, want it refused", err)
				}
				if n := len(r.permissions.namespaces); n != min(i+1, maxNamespaces) {
					t.Fatalf("%d namespaces are remembered after refusals in %d", n, i+1)
				}
			}
		})
	}
}
