// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package manager gets recorders from controller-runtime.
package manager

import (
	"thirdparty"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

type reconciler struct{ recorder record.EventRecorder }

func (r *reconciler) SetupWithManager(mgr ctrl.Manager, other cluster.Cluster) error {
	r.recorder = mgr.GetEventRecorderFor("controller")
	r.recorder = other.GetEventRecorderFor("cluster")
	local := mgr.GetEventRecorderFor("local") //nolint:staticcheck
	local.Event(nil, "Normal", "Local", "local")
	thirdparty.Run(nil, mgr.GetEventRecorderFor("stays"))
	_ = resourcelock.ResourceLockConfig{EventRecorder: mgr.GetEventRecorderFor("leader")}
	_ = &reconciler{recorder: mgr.GetEventRecorderFor("literal")}
	//nolint:staticcheck // GetEventRecorderFor is deprecated
	r.recorder = mgr.GetEventRecorderFor("below")
	r.recorder = mgr.GetEventRecorderFor("other")         //nolint:errcheck
	thirdparty.Run(nil, mgr.GetEventRecorderFor("stays")) //nolint:staticcheck // SA1019
	thirdparty.Run(nil, local)
	return nil
}

// fakeManager overrides what controller-runtime dictates.
type fakeManager struct {
	ctrl.Manager
	recorder record.EventRecorder
}

func (f *fakeManager) GetEventRecorderFor(name string) record.EventRecorder { return f.recorder }
