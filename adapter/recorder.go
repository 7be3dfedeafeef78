// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import "github.com/eventseries/eventseries/events"

// Recorder is [events.Recorder]: a recorder of an adapter records through whichever API the
// adapter uses at that moment.
type Recorder = events.Recorder
