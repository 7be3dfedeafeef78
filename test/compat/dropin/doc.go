// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package dropin has components as their authors write them against client-go. Its tests run them so, and then as a build
// in which nothing but the import of client-go's recorder is changed, and compare the Events. They also run Kubernetes'
// own test of recorders, which is read from the module cache.
package dropin
