// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// With RBAC for events.k8s.io alone the SDK's lock records a whole term, also of a manager that does not release the
// Lease, while the lock of controller-runtime is refused.
// Caught: a lock that is recorded to by RecorderFor(mgr, …), which ends before the election does.
func TestManagerLeadsWithoutCoreV1(t *testing.T) {
	for name, row := range map[string]struct {
		own, release bool
		want         map[string]int64
		refused      bool
	}{
		"OwnLock":            {own: true, want: map[string]int64{"BecomeLeader": 1, "StopLeading": 1}},
		"OwnLockWithRelease": {own: true, release: true, want: map[string]int64{"BecomeLeader": 1, "StopLeading": 1}},
		"ControllerRuntime":  {want: map[string]int64{}, refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			env := harness.New(t, shared)
			env.Kubectl("create", "role", "lead", "-n", env.Namespace, "--verb=get,create,update", "--resource=leases")
			env.Kubectl("create", "rolebinding", "lead", "-n", env.Namespace, "--role=lead", "--user="+env.User)
			env.Allow(env.Namespace, harness.EventsV1)

			broadcaster, err := adapter.NewForConfig(t.Context(), env.Config, events.WithLogger(env.Log.Logger()))
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, broadcaster, broadcaster.NewRecorder(controller))
			options := ctrl.Options{
				Scheme:  scheme.Scheme,
				Logger:  env.Log.Logger(),
				Metrics: metricsserver.Options{BindAddress: "0"},

				LeaderElection: true, LeaderElectionID: "leader", LeaderElectionNamespace: env.Namespace,
				LeaderElectionReleaseOnCancel: row.release,
			}
			if row.own {
				lease := types.NamespacedName{Namespace: env.Namespace, Name: "leader"}
				options.LeaderElectionResourceLockInterface, err = adapter.LeaderElectionLock(env.Config, r, lease)
				if err != nil {
					t.Fatal(err)
				}
			}
			lead(t, env, options)
			r.drainAll(int64(len(row.want)))

			got := map[string]int64{}
			for _, e := range env.Events(env.Namespace) {
				got[e.Action] += harness.Count(&e)
				if e.ReportingController != controller || e.Regarding.Kind != "Lease" || e.Regarding.UID == "" {
					t.Errorf("an Event of %s about %+v", e.ReportingController, e.Regarding)
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("occurrences by action (-want +got):\n%s", diff)
			}
			refused := env.Wire.Seen(func(e wire.Exchange) bool { return e.Status == http.StatusForbidden })
			if len(refused) > 0 != row.refused {
				t.Errorf("refused: %v, want some: %v", refused, row.refused)
			}
		})
	}
}

// lead runs a manager until it leads and what it recorded about that has been answered.
func lead(t *testing.T, env *harness.Env, options ctrl.Options) {
	t.Helper()
	mgr, err := ctrl.NewManager(env.Config, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	<-mgr.Elected()
	env.Await("the Event of leader election", func() bool {
		return len(env.Wire.Seen(func(e wire.Exchange) bool { return e.IsCreate() && e.Status != 0 })) > 0
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
