// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import . "k8s.io/client-go/tools/record"

func dotted(r EventRecorder) { r.Event(nil, "Normal", "Dot", "dotted") }
