// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"context"
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Whichever API a write goes through, and also if it has to be looked for, the adapter's sink keeps the contract.
//
// Caught: answering the refusal of one API where the other is to be used, or to be tried.
func TestRouterConforms(t *testing.T) {
	for name, cluster := range map[string]func(*eventstest.Clientset){
		"all is served": func(*eventstest.Clientset) {},
		"an old cluster": func(c *eventstest.Clientset) {
			c.ServeEventsV1(false)
		},
		"RBAC for the core group only": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool { return r.Group != "events.k8s.io" })
		},
		"RBAC for the core group only, in kube-system": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool {
				return r.Group != "events.k8s.io" || r.Namespace == "default"
			})
		},
		"RBAC for the core group only, which nobody can be asked about": func(c *eventstest.Clientset) {
			c.Authorize(func(r eventstest.Request) bool { return r.Group == "" })
			c.Fail(func(_ context.Context, r eventstest.Request) error {
				if r.Group == "authorization.k8s.io" {
					return apierrors.NewInternalError(errors.New("no reviews today"))
				}
				return nil
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			eventstest.TestSink(t, func(t *testing.T) events.Sink {
				client := eventstest.NewClientset()
				cluster(client)
				return New(klog.NewContext(t.Context(), klog.Logger{}), client).router
			})
		})
	}
}
