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

type reconciler struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func (r *reconciler) SetupWithManager(mgr ctrl.Manager, other cluster.Cluster) error {
	r.recorder = mgr.GetEventRecorderFor("controller")                                    // want "the recorder of the manager's one adapter"
	r.recorder = other.GetEventRecorderFor("cluster")                                     // want "GetEventRecorderFor is GetEventRecorder in the events API"
	local := mgr.GetEventRecorderFor("local")                                             //nolint:staticcheck // want "the recorder of the manager's one adapter" "this directive has nothing to allow any more"
	local.Event(nil, "Normal", "Local", "local")                                          // want "Event becomes Eventf with action \"Local\""
	thirdparty.Run(nil, mgr.GetEventRecorderFor("stays"))                                 // want "thirdparty\\.Run takes this recorder and stays with the old API"
	_ = resourcelock.ResourceLockConfig{EventRecorder: mgr.GetEventRecorderFor("leader")} // want "resourcelock\\.ResourceLockConfig\\.EventRecorder takes this recorder and stays with the old API"
	_ = &reconciler{recorder: mgr.GetEventRecorderFor("literal")}                         // want "the recorder of the manager's one adapter"
	//nolint:staticcheck // GetEventRecorderFor is deprecated // want "this directive has nothing to allow any more"
	r.recorder = mgr.GetEventRecorderFor("below")         // want "the recorder of the manager's one adapter"
	r.recorder = mgr.GetEventRecorderFor("other")         //nolint:errcheck // want "the recorder of the manager's one adapter"
	thirdparty.Run(nil, mgr.GetEventRecorderFor("stays")) //nolint:staticcheck // SA1019 // want "thirdparty\\.Run takes this recorder and stays with the old API"
	thirdparty.Run(nil, local)                            // want "thirdparty\\.Run stays with the old API and gets legacy\\.AsLegacy"
	return nil
}

// fakeManager overrides what controller-runtime dictates.
type fakeManager struct {
	ctrl.Manager
	recorder record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
}

func (f *fakeManager) GetEventRecorderFor(name string) record.EventRecorder { return f.recorder } // want "an interface of another module dictates the signature of GetEventRecorderFor" "record\\.EventRecorder stays with the old API and gets legacy\\.AsLegacy"
