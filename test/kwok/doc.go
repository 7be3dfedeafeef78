// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kwok has a load of Events for clusters that somebody owns: Stages for kwok, whose nodes have no kubelet,
// and a test for clusterloader2, which creates and deletes pods. Its tests read the Stages with kwok's own code.
package kwok
