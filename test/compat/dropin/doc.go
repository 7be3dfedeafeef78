// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package dropin has components as their authors write them against client-go, and next to each the same with one
// import changed: clientgo/ and eventseries/ differ in that line and nowhere else. The tests run both and compare
// the Events. They also run Kubernetes' own test of recorders, which is read from the module cache.
package dropin
