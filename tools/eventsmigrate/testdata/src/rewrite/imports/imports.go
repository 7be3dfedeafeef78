// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package imports has names that the new imports would like to have.
package imports

import "k8s.io/client-go/tools/record"

type inside struct{ recorder record.EventRecorder }

func names(r record.EventRecorder, events []string) {
	r.AnnotatedEventf(nil, nil, "Normal", events[0], "the name events is taken")
}
