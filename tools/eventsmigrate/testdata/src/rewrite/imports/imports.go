// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package imports has names that the new imports would like to have.
package imports

import "k8s.io/client-go/tools/record"

type inside struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

func names(r record.EventRecorder, events []string) { // want "names has a reason from elsewhere and no action, so its Events repeat the reason as their action: hand in an action too, or choose one here" "record\\.EventRecorder becomes events\\.EventRecorder"
	r.AnnotatedEventf(nil, nil, "Normal", events[0], "the name events is taken") // want "AnnotatedEventf becomes Eventf with action reason"
}
