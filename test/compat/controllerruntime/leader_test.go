// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controllerruntime

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// Both Events of a term arrive through events.k8s.io, whether or not the manager releases the Lease.
// Caught: a broadcaster that is drained before the manager has ended.
func TestLead(t *testing.T) {
	for name, release := range map[string]bool{"the Lease expires": false, "the Lease is released": true} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			server := apiserver.New()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			options := ctrl.Options{
				Scheme:  scheme.Scheme,
				Logger:  klog.Background(),
				Metrics: metricsserver.Options{BindAddress: "0"},

				LeaderElectionReleaseOnCancel: release,
			}
			ended := make(chan error, 1)
			go func() { ended <- Lead(ctx, server.Config(), options, "default", "my-controller-0") }()
			if err := server.Await(ctx, func() bool { return len(server.Events()) > 0 }); err != nil {
				t.Fatal(err)
			}
			stop()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range server.Events() {
				got = append(got, e.Reason+" "+e.Note+" "+e.Regarding.Kind+"/"+e.Regarding.Name)
			}
			want := []string{
				"LeaderElection my-controller-0 became leader Lease/my-controller.example.com",
				"LeaderElection my-controller-0 stopped leading Lease/my-controller.example.com",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Events (-want +got):\n%s", diff)
			}
			for _, r := range server.Requests() {
				if r.Method != http.MethodGet && strings.HasPrefix(r.URI, "/api/v1/") {
					t.Errorf("a request to core/v1: %s", r)
				}
			}
		})
	}
}
