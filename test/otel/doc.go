// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otel tests contrib/otel with a real OpenTelemetry Collector. The Collector has an OTLP
// receiver and a file exporter, is built from its Go modules, and runs as a child process of the
// tests.
package otel
