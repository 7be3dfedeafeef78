// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestDoctorFindsFlagsOfTheServer is in the last file, since it starts the server with other flags.
func TestDoctorFindsFlagsOfTheServer(t *testing.T) {
	r := newRig(t)
	r.healthy()
	r.must(plane.RestartServer(context.WithoutCancel(t.Context()), "--runtime-config=events.k8s.io/v1=false"))
	r.one(r.doctor("deployment/hello"), "api", "does not serve events.k8s.io/v1; Events go through core/v1")

	r.must(plane.RestartServer(context.WithoutCancel(t.Context()), "--runtime-config=events.k8s.io/v1=true", "--event-ttl=5s"))
	// An Event of before lives for an hour. One that is there for longer than others means that these were deleted.
	r.must(r.admin.EventsV1().Events(r.namespace).Delete(t.Context(), "about-web", metav1.DeleteOptions{}))
	n := 0
	r.await("an Event to expire", func() bool {
		n++
		r.write(fmt.Sprintf("short-%d", n), "uid")
		_, err := r.admin.EventsV1().Events(r.namespace).Get(t.Context(), "short-1", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	r.one(r.doctor("deployment/hello"), "lifetime", "after its last write")
}
