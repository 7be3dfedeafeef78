// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package dropin

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	controllerbefore "github.com/eventseries/eventseries/test/compat/dropin/controller/clientgo"
	controllerafter "github.com/eventseries/eventseries/test/compat/dropin/controller/eventseries"
	electionbefore "github.com/eventseries/eventseries/test/compat/dropin/election/clientgo"
	electionafter "github.com/eventseries/eventseries/test/compat/dropin/election/eventseries"
	proxybefore "github.com/eventseries/eventseries/test/compat/dropin/proxy/clientgo"
	proxyafter "github.com/eventseries/eventseries/test/compat/dropin/proxy/eventseries"
	schedulerbefore "github.com/eventseries/eventseries/test/compat/dropin/scheduler/clientgo"
	schedulerafter "github.com/eventseries/eventseries/test/compat/dropin/scheduler/eventseries"
	"github.com/eventseries/eventseries/test/compat/internal/seen"
)

// start is a component: it records, and returns how to end.
type start func(context.Context, kubernetes.Interface) (shutdown func(), err error)

// components are in the order in which they run.
var components = []struct {
	name          string
	before, after start
	occurrences   int32
}{
	{"a controller", controllerbefore.Start, controllerafter.Start, 5},
	{"kube-proxy", proxybefore.Start, proxyafter.Start, 4},
	{"kube-proxy, with a context", proxybefore.StartWithContext, proxyafter.StartWithContext, 4},
	{"kube-scheduler", schedulerbefore.Start, schedulerafter.Start, 9},
	{"leader election", electionbefore.Start, electionafter.Start, 2},
}

// soon bounds what takes no time.
const soon = time.Minute

// A component has the same Events after its import has changed, and then has them all on the server when its
// broadcaster was shut down, and leaves no goroutine. client-go's gets the time it needs, and goes last, since it
// leaves some.
//
// Caught: annotations that do not get through; a Shutdown that does not drain; a watcher that it leaves behind.
func TestComponentsMigrateByTheirImport(t *testing.T) {
	after := map[string][]eventsv1.Event{}
	for _, c := range components {
		t.Run(c.name+", eventseries", func(t *testing.T) {
			defer goleak.VerifyNone(t)
			server := apiserver.New()
			run(t, server, c.after)()
			after[c.name] = server.Events()
			if got := seen.Occurrences(after[c.name]); got != c.occurrences {
				t.Errorf("stored %d occurrences of %d: %v", got, c.occurrences, seen.Of(after[c.name]))
			}
		})
	}
	for _, c := range components {
		t.Run(c.name+", client-go", func(t *testing.T) {
			server := apiserver.New()
			shutdown := run(t, server, c.before)
			defer shutdown()
			ctx, cancel := context.WithTimeout(t.Context(), soon)
			defer cancel()
			all := func() bool { return seen.Occurrences(server.Events()) >= c.occurrences }
			if err := server.Await(ctx, all); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(seen.Of(server.Events()), seen.Of(after[c.name])); diff != "" {
				t.Errorf("Events (-client-go +eventseries):\n%s", diff)
			}
		})
	}
}

func run(t *testing.T, server *apiserver.Server, component start) (shutdown func()) {
	t.Helper()
	shutdown, err := component(context.WithoutCancel(t.Context()), clientOf(t, server.Config()))
	if err != nil {
		t.Fatal(err)
	}
	return shutdown
}

func clientOf(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}
