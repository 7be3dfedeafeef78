// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package isolation tests the SDK's promise to components with many tenants: a namespace whose
// writes hang or fail neither delays the Events of another namespace nor makes the SDK lose them.
package isolation
