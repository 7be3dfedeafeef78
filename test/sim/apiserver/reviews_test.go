// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"testing"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

const v1 = eventsv1.GroupName

func prober(r *rig) *discovery.Prober { return discovery.NewProber(r.client) }

func probe(p *discovery.Prober) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := p.Probe(ctx)
		return err
	}
}

// Discovery as package discovery understands it.
func TestProbe(t *testing.T) {
	for name, row := range map[string]struct {
		prepare func(*rig)
		end     func(*pending)
		want    discovery.Support
	}{
		"served":             {func(*rig) {}, (*pending).Answer, discovery.Served},
		"group unknown":      {func(r *rig) { r.SetServed(false) }, (*pending).Answer, discovery.NotServed},
		"version unknown":    {func(r *rig) { r.SetOld() }, (*pending).Answer, discovery.NotServed},
		"RBAC is for events": {func(r *rig) { r.Forbid(component, "", v1, "get") }, (*pending).Answer, discovery.Served},
		"starting":           {func(*rig) {}, func(q *pending) { q.Fail(apiserver.Starting) }, discovery.Unknown},
		"500":                {func(*rig) {}, func(q *pending) { q.Fail(apiserver.InternalError) }, discovery.Unknown},
		"401":                {func(*rig) {}, func(q *pending) { q.Fail(apiserver.Unauthorized) }, discovery.Unknown},
		"answer lost":        {func(*rig) {}, func(q *pending) { q.Lose(apiserver.ErrReset) }, discovery.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				row.prepare(r)
				var got discovery.Support
				err := r.do(func(ctx context.Context) (err error) {
					got, err = prober(r).Probe(ctx)
					return err
				}, row.end)
				if got != row.want || (err != nil) != (got == discovery.Unknown) {
					t.Errorf("Probe = %v, %v; want %v", got, err, row.want)
				}
				r.checkViolations()
			})
		})
	}
}

// Permissions as access reviews tell them: four requests, and one more for the name if something is missing.
//
// Caught: a yes about all namespaces though one is refused.
func TestAccess(t *testing.T) {
	const core = ""
	type access = discovery.Access
	allowed := access{EventsV1: discovery.Allowed, CoreV1: discovery.Allowed}
	denied := access{EventsV1: discovery.Denied, CoreV1: discovery.Allowed}
	for name, row := range map[string]struct {
		prepare   func(*rig)
		namespace string
		want      access
	}{
		"everything":        {func(*rig) {}, "shop", allowed},
		"another component": {func(r *rig) { r.Forbid("other", "", v1, "create") }, "shop", allowed},
		"another namespace": {func(r *rig) { r.Forbid(component, "bank", v1, "create") }, "shop", allowed},
		"in this namespace": {func(r *rig) { r.Forbid(component, "shop", v1, "patch") }, "shop", denied},
		"in all":            {func(r *rig) { r.Forbid(component, "", v1, "create") }, "shop", denied},
		"everywhere else": {func(r *rig) {
			r.Forbid(component, "", v1, "create")
			r.Allow(component, "shop", v1, "create")
		}, "shop", allowed},
		"given back": {func(r *rig) {
			r.Forbid(component, "shop", v1, "create")
			r.Allow(component, "", v1, "create")
		}, "shop", allowed},
		"neither": {func(r *rig) {
			r.Forbid(component, "", v1, "create")
			r.Forbid(component, "", core, "patch")
		}, "shop", access{EventsV1: discovery.Denied, CoreV1: discovery.Denied}},
		"asked about all": {func(r *rig) { r.Forbid(component, "shop", v1, "create") }, "",
			access{EventsV1: discovery.PermissionUnknown, CoreV1: discovery.Allowed}},
		"reviews fail": {func(r *rig) { r.SetReviewsFail(true) }, "shop", access{}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				row.prepare(r)
				row.want.Namespace = row.namespace
				if row.want.EventsV1 != discovery.Allowed || row.want.CoreV1 != discovery.Allowed {
					row.want.User = "system:serviceaccount:default:" + component
				}
				var got access
				done := make(chan struct{})
				go func() {
					defer close(done)
					got, _ = prober(r).Access(t.Context(), row.namespace)
				}()
				r.answerUntil(done)
				if got != row.want {
					t.Errorf("Access = %+v, want %+v", got, row.want)
				}
				r.checkViolations()
			})
		})
	}
}

// answerUntil answers what comes until done.
func (r *rig) answerUntil(done <-chan struct{}) {
	for {
		select {
		case <-r.Arrived():
			for _, q := range r.Waiting() {
				q.Answer()
			}
		case <-done:
			return
		}
	}
}
