// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"path"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Once returns client over a REST client whose requests are for api and are sent exactly once,
// and whether there is a REST client. client-go's fakes have none: they are returned as they
// are. newClient is New of client's package. The rate limiter stays in force, and what waits for it
// says so.
func Once[I interface{ RESTClient() rest.Interface }, C any](
	client I, api schema.GroupVersion, newClient func(rest.Interface) C,
) (sender I, real bool) {
	rc := client.RESTClient()
	if usercode.IsNil(rc) {
		return client, false
	}
	return any(newClient(once{rc, api})).(I), true
}

// once changes the requests with which an Event is written or a question asked, and no others.
type once struct {
	rest.Interface
	api schema.GroupVersion
}

// Get implements [rest.Interface].
func (c once) Get() *rest.Request { return c.change(c.Interface.Get()) }

// Patch implements [rest.Interface].
func (c once) Patch(pt types.PatchType) *rest.Request { return c.change(c.Interface.Patch(pt)) }

// Post implements [rest.Interface].
func (c once) Post() *rest.Request { return c.change(c.Interface.Post()) }

func (c once) change(r *rest.Request) *rest.Request {
	if limiter := c.GetRateLimiter(); limiter != nil {
		r.Throttle(throttle{limiter})
	}
	prefix := "/apis"
	if c.api.Group == "" {
		prefix = "/api"
	}
	return r.AbsPath(path.Join(prefix, c.api.Group, c.api.Version)).MaxRetries(0)
}

// throttle is a client's rate limiter for a request that may have passed it.
type throttle struct{ flowcontrol.RateLimiter }

// Wait implements [flowcontrol.RateLimiter].
func (t throttle) Wait(ctx context.Context) error {
	return request.Wait(ctx, t.RateLimiter)
}
