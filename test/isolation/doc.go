// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package isolation tests what the SDK promises to a component with many tenants. A namespace whose writes hang or fail
// delays no other namespace, and costs it no Event.
package isolation
