// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package dropin has components that are written for client-go. Its tests run each component twice,
// with client-go and with a build in which only the import of client-go's recorder is replaced by
// the SDK, and compare the Events. They also run Kubernetes' own tests of recorders, which they
// read from the module cache.
package dropin
