// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestDoctorFindsFlagsOfTheServer is in the last file, since it starts the server with other flags.
func TestDoctorFindsFlagsOfTheServer(t *testing.T) {
	r := newRig(t)
	r.healthy()
	server := plane.ControlPlane.APIServer
	flags := server.Configure().Set("runtime-config", "events.k8s.io/v1=false")
	r.must(server.Stop())
	r.must(server.Start())
	r.one(r.doctor("deployment/hello"), "api", "does not serve events.k8s.io/v1; Events go through core/v1")

	flags.Set("runtime-config", "events.k8s.io/v1=true").Set("event-ttl", "3s")
	r.must(server.Stop())
	r.must(server.Start())
	// An Event of before lives for an hour. One that is there for longer than others means that these were deleted.
	r.must(r.admin.EventsV1().Events(r.namespace).Delete(t.Context(), "about-web", metav1.DeleteOptions{}))
	n := 0
	var d diagnosis
	r.await("an Event to expire", func() bool {
		n++
		r.write(fmt.Sprintf("short-%d", n), "uid")
		d = r.doctor("deployment/hello")
		return len(d.Findings) > 0
	})
	r.one(d, "lifetime", "after its last write")
}
