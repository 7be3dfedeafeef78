// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import (
	"k8s.io/client-go/tools/record"
)

type inside struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

var options record.CorrelatorOptions // want "record\\.CorrelatorOptions stays with the old API: the events API counts series and has no correlator, delete it with what it is for"
