// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package otel tests contrib/otel with an OpenTelemetry Collector, which is made of its Go
// modules and runs as a child process of the tests: an OTLP receiver and a file exporter.
package otel
